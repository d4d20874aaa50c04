/** A number for a name, to split files by (FNV-1a). */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0
  // The low bits of FNV follow the last characters: mix them.
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
