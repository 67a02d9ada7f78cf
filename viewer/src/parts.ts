// The parts that the page carries inside itself: the library, compiled once, and the worker's script; and files that were put
// into a self-contained page, or that the command serves.
import type { NamedFile } from "./protocol";

async function unzip(id: string): Promise<ArrayBuffer> {
  const text = document.getElementById(id)!.textContent!;
  const zipped = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
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
    const bytes = Uint8Array.from(atob(element.textContent!.trim()), (c) => c.charCodeAt(0));
    return { name: element.dataset.name ?? "file", blob: new Blob([bytes]) };
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
