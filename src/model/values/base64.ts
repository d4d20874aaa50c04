/** Bytes as base64, in every runtime. */
export function toBase64(data: Uint8Array): string {
  let binary = ''
  // In pieces, because the number of arguments of a call is limited.
  for (let i = 0; i < data.length; i += 0x8000) binary += String.fromCharCode(...data.subarray(i, i + 0x8000))
  return btoa(binary)
}
