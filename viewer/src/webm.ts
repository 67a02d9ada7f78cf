// WebM (Matroska's EBML) around encoded pictures:
//   EBML head; Segment { Info, Tracks { one of video }, Cluster { time, SimpleBlock ... } from each key picture, Cues }
// Every element is an identifier, a size and its content; sizes are written in eight bytes, so that none has to be known before.

export interface FilmChunk {
  bytes: Uint8Array<ArrayBuffer>;
  milliseconds: number;
  isKey: boolean;
}

type Part = Uint8Array<ArrayBuffer>;

function join(parts: Part[]): Part {
  const out = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function integer(value: number): Part {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, BigInt(value));
  return out;
}

function real(value: number): Part {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, value);
  return out;
}

const text = (value: string): Part => new TextEncoder().encode(value) as Part;

function element(id: number, ...content: Part[]): Part {
  const bytes = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1;
  const head = Uint8Array.from({ length: bytes }, (_, n) => id >>> (8 * (bytes - 1 - n)));
  const size = integer(content.reduce((sum, { length }) => sum + length, 0));
  size[0] |= 1; // eight bytes of size
  return join([head, size, ...content]);
}

function block({ bytes, milliseconds, isKey }: FilmChunk, start: number): Part {
  const time = milliseconds - start;
  return element(0xa3, Uint8Array.of(0x81, time >> 8, time, isKey ? 0x80 : 0), bytes);
}

export function webm(chunks: FilmChunk[], { width, height, seconds }: { width: number; height: number; seconds: number }): Uint8Array {
  const head = element(0x1a45dfa3, element(0x4286, integer(1)), element(0x42f7, integer(1)), element(0x42f2, integer(4)), element(0x42f3, integer(8)), element(0x4282, text("webm")), element(0x4287, integer(2)), element(0x4285, integer(2)));
  const info = element(0x1549a966, element(0x2ad7b1, integer(1e6)), element(0x4489, real(1000 * seconds)), element(0x4d80, text("Sinew")), element(0x5741, text("Sinew")));
  const tracks = element(0x1654ae6b, element(0xae, element(0xd7, integer(1)), element(0x73c5, integer(1)), element(0x83, integer(1)), element(0x86, text("V_VP8")), element(0xe0, element(0xb0, integer(width)), element(0xba, integer(height)))));
  const clusters: Part[] = [];
  const cues: Part[] = [];
  let at = info.length + tracks.length; // from the start of the segment's content
  for (let n = 0; n < chunks.length; ) {
    let end = n + 1;
    while (end < chunks.length && !chunks[end].isKey) end++;
    const start = chunks[n].milliseconds;
    const cluster = element(0x1f43b675, element(0xe7, integer(start)), ...chunks.slice(n, end).map((chunk) => block(chunk, start)));
    cues.push(element(0xbb, element(0xb3, integer(start)), element(0xb7, element(0xf7, integer(1)), element(0xf1, integer(at)))));
    clusters.push(cluster);
    at += cluster.length;
    n = end;
  }
  return join([head, element(0x18538067, info, tracks, ...clusters, element(0x1c53bb6b, ...cues))]);
}
