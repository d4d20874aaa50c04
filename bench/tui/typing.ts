import type { NullTerminal } from './null-terminal.ts'

const KEY_EVERY_MS = 40

/** Types a letter every 40 ms until `isOver`, and measures the time from when each was due to when it was drawn. */
export async function typingLatencies(terminal: NullTerminal, isOver: () => boolean): Promise<number[]> {
  const latencies: number[] = []
  let due = performance.now()
  for (let n = 0; !isOver(); n++) {
    due += KEY_EVERY_MS
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    // Each letter is different, so that a drawn one is known to be this one.
    const letter = String.fromCodePoint(0x4e00 + (n % 20_000))
    await new Promise<void>((resolve) => {
      terminal.onWrite = (data) => {
        if (!data.includes(letter)) return
        terminal.onWrite = () => {}
        resolve()
      }
      terminal.input(letter)
    })
    latencies.push(performance.now() - due)
    terminal.input('\x7f')
    due = Math.max(due, performance.now())
  }
  return latencies
}

/** The value below which this share of all values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
