// An archive of files as they are, nothing packed (PKWARE's APPNOTE 6.3, method 0): pictures are packed already.

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function crc(bytes: Uint8Array): number {
  let sum = ~0;
  for (const byte of bytes) sum = table[(sum ^ byte) & 255] ^ (sum >>> 8);
  return ~sum >>> 0;
}

/** Numbers of 2 and 4 bytes, the low byte first. */
function numbers(...fields: [bytes: 2 | 4, value: number][]): Uint8Array<ArrayBuffer> {
  const out = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) out.setUint16(at, value, true);
    else out.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(out.buffer);
}

export class Zip {
  private readonly parts: Uint8Array<ArrayBuffer>[] = [];
  private readonly directory: Uint8Array<ArrayBuffer>[] = [];
  private size = 0;
  private count = 0;

  add(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    const label = new TextEncoder().encode(name) as Uint8Array<ArrayBuffer>;
    // Version 2.0, names in UTF-8, 1 January 1980.
    const about = numbers([2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, crc(bytes)], [4, bytes.length], [4, bytes.length], [2, label.length], [2, 0]);
    const head = numbers([4, 0x04034b50]);
    this.directory.push(numbers([4, 0x02014b50], [2, 20]), about, numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, this.size]), label);
    this.parts.push(head, about, label, bytes);
    this.size += head.length + about.length + label.length + bytes.length;
    this.count++;
  }

  blob(): Blob {
    const size = this.directory.reduce((sum, part) => sum + part.length, 0);
    return new Blob([...this.parts, ...this.directory, numbers([4, 0x06054b50], [2, 0], [2, 0], [2, this.count], [2, this.count], [4, size], [4, this.size], [2, 0])], { type: "application/zip" });
  }
}
