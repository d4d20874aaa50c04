import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DrawnFrame, drawFrame, type Frame } from '../../../src/tui/parts/draw-frame.ts'
import { full } from '../../support/full.ts'
import { ScreenTerminal } from '../support/screen-terminal.ts'

const SHELL = ['$ ls', 'notes.md', '$ pith']

/** A terminal that a shell has written to, and a program that draws frames. */
class Drawing {
  readonly terminal: ScreenTerminal
  #drawn: DrawnFrame | undefined

  constructor(columns = 40, rows = 8) {
    this.terminal = new ScreenTerminal(columns, rows)
    this.terminal.write(`${SHELL.join('\r\n')}\r\n`)
  }

  /** Draws a frame; the cursor ends in its last line but one, as in an input above a status line. */
  draw(lines: readonly string[], more: Partial<Frame> = {}): void {
    const { columns: width, rows: height } = this.terminal
    const { output, drawn } = drawFrame(this.#drawn, { lines, width, height, ...more })
    this.terminal.write(output)
    const row = Math.max(0, lines.length - 2)
    this.terminal.moveBy(row - drawn.cursor)
    this.#drawn = { ...drawn, cursor: row }
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.terminal.settled()
    this.terminal.resize(columns, rows)
  }

  /** All lines without the empty ones at the end. */
  async all(): Promise<string[]> {
    await this.terminal.settled()
    return trimmed(this.terminal.all())
  }

  async visible(): Promise<string[]> {
    await this.terminal.settled()
    return trimmed(this.terminal.visible())
  }

  get top(): number {
    return this.#drawn?.top ?? 0
  }
}

function trimmed(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return lines.slice(0, last + 1).map((line) => line.trimEnd())
}

const numbered = (count: number, word = 'line') => Array.from({ length: count }, (_, i) => `${word} ${i + 1}`)

describe('a frame', () => {
  it('is below the lines of the shell, and scrolls them up when it grows', async () => {
    const drawing = new Drawing()
    drawing.draw(numbered(3))
    drawing.draw(numbered(30))
    expect(await drawing.all()).toEqual([...SHELL, ...numbered(30)])
  })

  it('that shrinks leaves none of its former lines', async () => {
    const drawing = new Drawing()
    drawing.draw(numbered(5))
    drawing.draw(numbered(2))
    expect(await drawing.all()).toEqual([...SHELL, ...numbered(2)])
  })

  it('whose lines above the screen change draws only what can be seen', async () => {
    const drawing = new Drawing()
    drawing.draw(numbered(20))
    drawing.draw(['changed', ...numbered(20).slice(1)])
    expect(await drawing.all()).toEqual([...SHELL, ...numbered(20)])
  })

  it('that grows above the screen misses no line', async () => {
    const drawing = new Drawing()
    drawing.draw(numbered(20))
    drawing.draw(['first', 'second', ...numbered(20)])
    expect(await drawing.all()).toEqual([...SHELL, ...numbered(12), ...numbered(20).slice(10)])
  })

  it('that is to be printed again is below its former lines, whole from the first change on', async () => {
    const drawing = new Drawing()
    drawing.draw(numbered(20))
    drawing.draw(numbered(20, 'row'), { reprint: true })
    expect(await drawing.all()).toEqual([...SHELL, ...numbered(12), ...numbered(20, 'row')])
  })

  it('with a line that is too wide is cut there, and nothing wraps', async () => {
    const drawing = new Drawing(20)
    drawing.draw(['x'.repeat(50), 'next'])
    expect(await drawing.all()).toEqual([...SHELL, 'x'.repeat(20), 'next'])
  })
})

describe('a resize', () => {
  it.each([
    ['narrower', 23, 8],
    ['wider', 70, 8],
    ['lower', 40, 5],
    ['higher', 40, 20],
    ['wider and higher', 90, 30],
  ])('that makes the terminal %s leaves the lines of the shell, and one frame', async (_, columns, rows) => {
    const drawing = new Drawing()
    const frame = ['a title', `${'wide '.repeat(7)}end`, '─'.repeat(40), 'input', 'status']
    drawing.draw(frame)
    await drawing.resize(columns, rows)
    const next = ['a title', 'drawn anew', '─'.repeat(columns), 'input', 'status']
    drawing.draw(next)
    expect(await drawing.all()).toEqual([...SHELL, ...next])
  })

  it('after which the frame is higher than the screen repeats no more than the terminal has pushed up', async () => {
    const drawing = new Drawing()
    drawing.draw(['a title', `${'wide '.repeat(7)}end`, '─'.repeat(40), 'input', 'status'])
    await drawing.resize(20, 4)
    const next = ['a title', 'drawn anew', '─'.repeat(20), 'input', 'status']
    drawing.draw(next)
    expect(await drawing.all()).toEqual([...SHELL, 'a title', 'wide wide wide wide', ...next])
  })

  it('of a long conversation to another width keeps the scrollback, and the screen is drawn once', async () => {
    const drawing = new Drawing()
    drawing.draw(numbered(50))
    for (const columns of [35, 30, 25, 33, 60]) {
      await drawing.resize(columns, 8)
      drawing.draw(numbered(50))
      expect(await drawing.all()).toEqual([...SHELL, ...numbered(50)])
    }
  })

  it('of a long conversation to another height leaves every line there once', async () => {
    const drawing = new Drawing()
    drawing.draw(numbered(50))
    for (const rows of [20, 30, 12, 5, 40, 8]) {
      await drawing.resize(40, rows)
      drawing.draw(numbered(50))
      expect(await drawing.all()).toEqual([...SHELL, ...numbered(50)])
    }
  })

  it('of both at once may repeat lines, but loses none', async () => {
    const drawing = new Drawing(40, 20)
    drawing.draw(numbered(50))
    for (const [columns, rows] of [
      [35, 12],
      [60, 30],
      [25, 8],
      [80, 24],
    ] as const) {
      await drawing.resize(columns, rows)
      drawing.draw(numbered(50))
      expect([...new Set(await drawing.all())]).toEqual([...SHELL, ...numbered(50)])
    }
  })
})

const change = fc.oneof(
  fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant('shrink' as const), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('change' as const), count: fc.integer({ min: 0, max: 40 }) }),
  fc.record({ kind: fc.constant('resize' as const), count: fc.integer({ min: 0, max: 40 }) }),
)

it('whatever changes, the shell keeps its lines and the screen ends with the frame', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 15 }), async (changes) => {
      const drawing = new Drawing()
      let lines = numbered(3)
      let made = 3
      drawing.draw(lines)
      for (const { kind, count } of changes) {
        if (kind === 'append') lines = [...lines, ...numbered(count, `more ${made++}`)]
        else if (kind === 'shrink') lines = lines.slice(0, Math.max(2, lines.length - count))
        else if (kind === 'change') lines = lines.with(Math.min(count, lines.length - 1), `changed ${made++}`)
        else await drawing.resize(24 + count, 6 + (count % 9))
        drawing.draw(lines)
        const visible = await drawing.visible()
        expect(visible.slice(-Math.min(visible.length, lines.length - drawing.top))).toEqual(
          lines.slice(drawing.top).slice(-visible.length),
        )
      }
      expect((await drawing.all()).slice(0, SHELL.length)).toEqual(SHELL)
    }),
    { numRuns: full ? 500 : 40 },
  )
})
