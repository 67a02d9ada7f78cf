// The worker: one instance of the library, one thing open, one request at a time.
import type { Sinew } from "sinew";
import type { FromWorker, Opened, Requests, TaylorTerms, ToWorker } from "../protocol";
import { camerasIn } from "./cameras";
import { Reach } from "./reach";
import { Session } from "./session";
import { startLibrary, type FromStart, type ToStart } from "./start";

declare const self: { postMessage(message: FromWorker | FromStart, transfer?: Transferable[]): void; onmessage: ((event: MessageEvent) => void) | null };

let run: (message: ToWorker) => unknown;
let current = 0;

function runner(sinew: Sinew): (message: ToWorker) => unknown {
  const context = { sinew, progress: (stage: string, share: number) => self.postMessage({ id: current, kind: "progress", stage, share }) };
  const session = new Session(context);
  const reach = new Reach(context, session);
  return ({ kind, payload }: ToWorker): unknown => {
    switch (kind) {
      case "open": return open(session, payload as Requests["open"]);
      case "example": { const { motion, seconds } = payload as Requests["example"]; return session.example(motion, seconds); }
      case "edit": return session.edit((payload as Requests["edit"]).edits);
      case "solve": return session.solve((payload as Requests["solve"]).options);
      case "skin": return session.skin((payload as Requests["skin"]).body);
      case "taylor": return taylorOf(sinew, payload as Requests["taylor"]);
      case "cameras": return camerasIn(sinew, (payload as Requests["cameras"]).file);
      case "fill": return session.fill((payload as Requests["fill"]).method);
      case "write": return session.write(payload as Requests["write"]);
      case "reachSetup": return reach.setup(payload as Requests["reachSetup"]);
      case "reach": return reach.solve(payload as Requests["reach"]);
      case "memory": return sinew.memorySize;
      case "trace": return reach.trace(payload as Requests["trace"]);
      case "crowd": return reach.crowd(payload as Requests["crowd"]);
      case "reachMap": return reach.map(payload as Requests["reachMap"]);
      case "climb": return reach.climb(payload as Requests["climb"]);
      case "circle": return reach.circle((payload as Requests["circle"]).spheres);
    }
  };
}

function taylorOf(sinew: Sinew, { time, value, order }: Requests["taylor"]): TaylorTerms {
  using taylor = sinew.taylorFit({ rowCount: time.length, freedomCount: 1, freedom: ["value"], time, value, parameter: 0 }, { order });
  const center = (time[0] + time[time.length - 1]) / 2;
  let factorial = 1;
  const coefficient = Array.from({ length: order + 1 }, (_, k) => sinew.taylorValue(taylor, 0, center, 0, k) / (factorial *= k || 1));
  return { center, coefficient, error: value.reduce((most, v, n) => Math.max(most, Math.abs(v - sinew.taylorValue(taylor, 0, time[n], 0, 0))), 0) };
}

async function open(session: Session, { files, edits }: Requests["open"]): Promise<Opened> {
  const read = files.map(async ({ name, blob }) => ({ name, bytes: new Uint8Array(await blob.arrayBuffer()) }));
  return session.open(await Promise.all(read), edits);
}

/** The first message brings the library; the page sends no other before it has the answer. */
self.onmessage = async (event: MessageEvent<ToStart>): Promise<void> => {
  self.onmessage = answer;
  run = runner(await startLibrary(event.data, (message) => self.postMessage(message)));
};

async function answer(event: MessageEvent<ToWorker>): Promise<void> {
  const message = event.data;
  current = message.id;
  try {
    const result = await run(message);
    self.postMessage({ id: message.id, kind: "done", result }, buffersIn(result));
  } catch (error) {
    const { message: sentence, code } = error as Error & { code?: string };
    self.postMessage({ id: message.id, kind: "failed", message: sentence, code: code ?? "" });
  }
}

/** Typed arrays in a result are handed over, not copied. */
function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (value && typeof value === "object") for (const part of Object.values(value)) buffersIn(part, found);
  return [...found];
}
