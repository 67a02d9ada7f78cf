// The package's door.
import { instantiate, type Sinew } from "./core.js";

export * from "./core.js";

/** Loads the library: by itself the module that lies beside this file, else from bytes, a compiled module or an address. */
export async function load(from: BufferSource | WebAssembly.Module | URL | string = new URL("./sinew.wasm", import.meta.url)): Promise<Sinew> {
  if (from instanceof WebAssembly.Module) return instantiate(from);
  if (from instanceof ArrayBuffer || ArrayBuffer.isView(from)) return instantiate(await WebAssembly.compile(from as BufferSource));
  return instantiate(await WebAssembly.compile((await fetchBytes(new URL(from))) as BufferSource));
}

/** node cannot fetch files. The name is put together so that bundlers leave it alone. */
async function fetchBytes(address: URL): Promise<Uint8Array> {
  if (address.protocol !== "file:") {
    const answer = await fetch(address);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    // A bundler that forgot the file lets the server answer with a page.
    if (!answer.ok || bytes[0] !== 0 || bytes[1] !== 0x61) throw new Error(`sinew.wasm is not at ${address}: copy it there, or give load() its address or bytes`);
    return bytes;
  }
  const files = (await import(/* @vite-ignore */ ["node", "fs/promises"].join(":"))) as { readFile(at: URL): Promise<Uint8Array> };
  return files.readFile(address);
}
