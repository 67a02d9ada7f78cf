// Puts the module, the tables and the types together.
import type { Functions } from "./generated.js";
import { table } from "./generated.js";
import { Runtime } from "./runtime.js";

export * from "./generated.js";
export { SinewError } from "./runtime.js";
export type { Handle, Source } from "./runtime.js";

export interface Sinew extends Functions {
  /** Bytes of memory that the module has taken so far. */
  readonly memorySize: number;
  /** A view of `length` numbers at an address that a function returned (ikResidual, say). */
  view: Runtime["view"];
  /** A struct that stays in the module's memory until it is forgotten; its address goes where a function takes its pointer. */
  keep: Runtime["keep"];
  forget: Runtime["forget"];
}

/** An instance of the compiled module. One instance serves one thread: make one for each worker. */
export async function instantiate(module: WebAssembly.Module): Promise<Sinew> {
  const runtime = new Runtime(await WebAssembly.instantiate(module, {}), table);
  const memory = Object.create({}, { memorySize: { get: () => runtime.memorySize } }) as object;
  return Object.assign(memory, runtime.functions, { view: runtime.view.bind(runtime), keep: runtime.keep.bind(runtime), forget: runtime.forget.bind(runtime) }) as unknown as Sinew;
}
