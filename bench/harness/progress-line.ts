/** A line on standard error that each new one replaces. If that is not a terminal, a new line every ten seconds. */
export function progressLine(name: string): { show(line: string): void; clear(): void } {
  const { stderr } = process
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show(line) {
      if (stderr.isTTY) return void stderr.write(`\r\u001b[K${`${name}: ${line}`.slice(0, (stderr.columns ?? 80) - 1)}`)
      if (performance.now() - shownAt < BETWEEN_LINES_MS) return
      shownAt = performance.now()
      stderr.write(`${name}: ${line}\n`)
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\u001b[K')
    },
  }
}

const BETWEEN_LINES_MS = 10_000
