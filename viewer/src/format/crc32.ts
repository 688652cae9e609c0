// CRC-32 as zlib computes it (polynomial 0xedb88320, reflected), eight bytes a turn.

const tables: Uint32Array[] = [];
for (let level = 0; level < 8; ++level) {
  const table = new Uint32Array(256);
  for (let n = 0; n < 256; ++n) {
    if (level === 0) {
      let c = n;
      for (let bit = 0; bit < 8; ++bit) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
      table[n] = c;
    } else {
      const before = tables[level - 1][n];
      table[n] = (before >>> 8) ^ tables[0][before & 255];
    }
  }
  tables.push(table);
}

export function crc32(bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;
  let c = 0xffffffff;
  let k = 0;
  for (; k + 8 <= bytes.length; k += 8) {
    c ^= bytes[k] | (bytes[k + 1] << 8) | (bytes[k + 2] << 16) | (bytes[k + 3] << 24);
    c =
      t7[c & 255] ^ t6[(c >>> 8) & 255] ^ t5[(c >>> 16) & 255] ^ t4[c >>> 24] ^
      t3[bytes[k + 4]] ^ t2[bytes[k + 5]] ^ t1[bytes[k + 6]] ^ t0[bytes[k + 7]];
  }
  for (; k < bytes.length; ++k) c = (c >>> 8) ^ t0[(c ^ bytes[k]) & 255];
  return ~c >>> 0;
}
