import type { Terminal } from '@earendil-works/pi-tui/dist/terminal.js'

/** A terminal that shows nothing, but passes everything that is written to it to `onWrite`. */
export class NullTerminal implements Terminal {
  readonly columns = 100
  readonly rows = 40
  readonly kittyProtocolActive = false
  onWrite: (data: string) => void = () => {}
  input: (data: string) => void = () => {}
  bytes = 0

  start(onInput: (data: string) => void): void {
    this.input = onInput
  }
  write(data: string): void {
    this.bytes += data.length
    this.onWrite(data)
  }
  stop(): void {}
  async drainInput(): Promise<void> {}
  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}
}
