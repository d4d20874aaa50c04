/** Takes some megabytes before the measurement begins and some after. */
export function fill({ before, after }: { before: number; after: number }, begin: () => void): string {
  const held = Buffer.alloc(before * 2 ** 20, 1)
  begin()
  const more = Buffer.alloc(after * 2 ** 20, 1)
  console.log('something that nobody asked for', held.length + more.length)
  return 'done'
}
