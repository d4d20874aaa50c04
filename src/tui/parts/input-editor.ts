import { Editor } from '@earendil-works/pi-tui/dist/components/editor.js'
import { count } from '../../engine/report/numbers.ts'

/** The input. A long paste is one mark in it, which stands for all of its lines until it is opened. */
export class InputEditor extends Editor {
  /** True when a paste is folded. */
  get hasFoldedPaste(): boolean {
    return this.getText() !== this.getExpandedText()
  }

  /** Shows every line that was pasted. */
  openPastes(): void {
    this.setText(this.getExpandedText())
  }

  override render(width: number): string[] {
    return super.render(width).map(withReadableMarks)
  }
}

const MARK = /\[paste #\d+ \+?(\d+) (lines|chars)\]/g

/** `[paste #1 +5000 lines]` as `[paste: 5,000 lines]`, at the same width, as the cursor is placed by the former. */
function withReadableMarks(line: string): string {
  return line.replace(MARK, (mark, size: string, unit: string) =>
    `[paste: ${count(Number(size))} ${unit}]`.padEnd(mark.length),
  )
}
