/** Numbers between 0 and 1, the same for the same seed (mulberry32): a fit and its measurement must be repeatable. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A number for a name, to split files by (FNV-1a). */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  // The low bits of FNV follow the last characters: mix them.
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
