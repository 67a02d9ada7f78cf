// How a worker gets the library: packed, as the page carries it, or compiled by the worker that came before. The compiled module goes
// back to the page for the next one.
import { instantiate, type Sinew } from "sinew";
import { unpack } from "./lzma";

export type ToStart = { packed: string } | { module: WebAssembly.Module };
export type FromStart = { module: WebAssembly.Module } | { failure: string };

export async function startLibrary(message: ToStart, answer: (message: FromStart) => void): Promise<Sinew> {
  try {
    const module = "module" in message ? message.module : await WebAssembly.compile(unpack(Uint8Array.from(atob(message.packed), (letter) => letter.charCodeAt(0))));
    const sinew = await instantiate(module);
    answer({ module });
    return sinew;
  } catch (error) {
    answer({ failure: (error as Error).message });
    throw error;
  }
}
