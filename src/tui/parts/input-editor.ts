import { Editor } from '@earendil-works/pi-tui/dist/components/editor.js'
import { count } from '../../engine/report/numbers.ts'

/** The input. A long paste is shown as one mark instead of its lines until it is opened. */
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

/** Shows `[paste #1 +5000 lines]` as `[paste: 5,000 lines]`, at the same width, because pi-tui places the cursor by the original text. */
function withReadableMarks(line: string): string {
  return line.replace(MARK, (mark, size: string, unit: string) =>
    `[paste: ${count(Number(size))} ${unit}]`.padEnd(mark.length),
  )
}
