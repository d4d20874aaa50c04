/** How many bytes two bodies have in common from their beginning on. */
export function sharedLength(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length)
  const isSame = (from: number, to: number) => a.compare(b, from, to, from, to) === 0
  // Bodies of other conversations differ early, so the first looks are short.
  let [same, step] = [0, 1024]
  while (same < most && isSame(same, Math.min(same + step, most))) {
    same = Math.min(same + step, most)
    step *= 4
  }
  let end = Math.min(same + step, most)
  while (same < end) {
    const middle = (same + end + 1) >> 1
    if (isSame(same, middle)) same = middle
    else end = middle - 1
  }
  return same
}
