// The parts that the page carries inside itself: the library, compiled once, and the worker's script; and files that were put
// into a self-contained page, or that the command serves.
import type { NamedFile } from "./protocol";

/** A plain loop: this runs before the first picture, and a function called for each of 700 000 letters would be seen. */
function decoded(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; n++) bytes[n] = text.charCodeAt(n);
  return bytes;
}

async function unzip(id: string): Promise<ArrayBuffer> {
  const zipped = decoded(document.getElementById(id)!.textContent!);
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

export interface Library {
  module: Promise<WebAssembly.Module>;
  worker: Promise<string>;
}

export function library(): Library {
  return {
    module: unzip("module").then((bytes) => WebAssembly.compile(bytes)),
    worker: unzip("worker").then((bytes) => URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }))),
  };
}

/** A worker with the library, as soon as that is unpacked and compiled. */
export async function startWorker({ module, worker }: Library): Promise<Worker> {
  const started = new Worker(await worker);
  started.postMessage({ module: await module });
  return started;
}

/** Files inside the page: <script type="text/plain" class="file" data-name="walk.c3d">base64</script>. */
async function filesInside(): Promise<NamedFile[]> {
  const elements = [...document.querySelectorAll<HTMLScriptElement>("script.file")];
  return Promise.all(elements.map(async (element) => {
    return { name: element.dataset.name ?? "file", blob: new Blob([decoded(element.textContent!.trim())]) };
  }));
}

/** Files that `sinew view` was asked to show. The token in the address is the permission to read them. */
async function filesServed(): Promise<NamedFile[]> {
  const token = new URLSearchParams(location.search).get("token");
  if (!token || !location.protocol.startsWith("http")) return [];
  const ask = async (path: string): Promise<Response> => {
    const response = await fetch(`${path}?token=${encodeURIComponent(token)}`);
    if (!response.ok) throw new Error(`the command answered ${response.status} for ${path}`);
    return response;
  };
  const list = (await (await ask("/files")).json()) as { files: string[]; quits: boolean };
  if (list.quits) void ask("/alive").then((response) => response.text()).catch(() => undefined); // stays open as long as the page does
  return Promise.all(list.files.map(async (name, n) => ({ name, blob: await (await ask(`/file/${n}`)).blob() })));
}

export async function filesBrought(): Promise<NamedFile[]> {
  const inside = await filesInside();
  return inside.length ? inside : filesServed();
}
