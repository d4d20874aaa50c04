import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { describe, expect, it } from 'vitest'
import { guardedLine } from '../../../src/tui/app/screen.ts'

describe('a drawn line', () => {
  it('keeps colours, links and the mark of the cursor', () => {
    const line = '\x1b[38;5;117mblue\x1b[0m \x1b]8;;https://example.org\x1b\\here\x1b]8;;\x1b\\ \x1b_pi:c\x07'
    expect(guardedLine(line, 80)).toBe(line)
  })

  it('shows every other control character, and is not wider than the screen', () => {
    const line = guardedLine('\x1b[1mfolder\x1b[0m \x1b]52;c;cm0=\x07\x9b2J\u061c\u202e\r', 60)
    expect(line).toContain('\x1b[1mfolder\x1b[0m \\u001b]52;c;cm0=\\u0007\\u009b2J\\u061c')
    expect(visibleWidth(line)).toBeLessThanOrEqual(60)
  })
})
