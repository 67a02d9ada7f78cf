// The parts that the page carries inside itself: the library, unpacked and compiled once, and the worker's script; and files that
// were put into a self-contained page, or that the command serves.
import type { NamedFile } from "./protocol";
import type { FromStart, ToStart } from "./worker/start";

const inside = (id: string): string => document.getElementById(id)!.textContent!;

/** A plain loop: this runs before the first picture, and a function called for each letter would be seen. */
function decoded(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; n++) bytes[n] = text.charCodeAt(n);
  return bytes;
}

async function workerScript(): Promise<string> {
  const stream = new Blob([decoded(inside("worker"))]).stream().pipeThrough(new DecompressionStream("gzip"));
  return URL.createObjectURL(new Blob([await new Response(stream).arrayBuffer()], { type: "text/javascript" }));
}

/** Starts workers that hold the library: the first one unpacks and compiles it, the others get what it made. */
export class Library {
  private readonly script = workerScript();
  private module: WebAssembly.Module | null = null;

  async startWorker(): Promise<Worker> {
    const worker = new Worker(await this.script);
    const started = new Promise<FromStart>((resolve, reject) => {
      worker.addEventListener("message", (event: MessageEvent<FromStart>) => resolve(event.data), { once: true });
      worker.addEventListener("error", (event) => reject(new Error(event.message || "the worker did not start")), { once: true });
    });
    const message: ToStart = this.module ? { module: this.module } : { packed: inside("module") };
    worker.postMessage(message);
    const answer = await started;
    if ("failure" in answer) throw new Error(answer.failure);
    this.module = answer.module;
    return worker;
  }
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
  const brought = await filesInside();
  return brought.length ? brought : filesServed();
}
