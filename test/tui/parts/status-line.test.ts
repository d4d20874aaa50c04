import { describe, expect, it } from 'vitest'
import { gauge } from '../../../src/tokens/status.ts'
import { statusLine } from '../../../src/tui/parts/status-line.ts'
import { START, type State } from '../../../src/tui/state/state.ts'

const state: State = {
  ...START,
  model: 'anthropic/claude-sonnet-4-5',
  session: { id: '1a2b3c4d-0000', title: 'mend the upload', workspace: '/work' },
  permissions: 'auto-edit',
  cost: 0.4213,
  suggestPercent: 70,
  status: { ...gauge(142_310, 200_000), source: 'provider' },
}

function textAt(width: number, changes: Partial<State> = {}): string {
  return statusLine({ ...state, ...changes }, width)
    .map(([text]) => text)
    .join('')
}

describe('the status line', () => {
  it('has everything if there is room', () => {
    expect(textAt(140)).toBe(
      `anthropic/claude-sonnet-4-5 · mend the upload · auto-edit · $0.42${' '.repeat(8)}███████░░░ 71.16% 142.3k of 200k · type /compact to free up context`,
    )
  })

  it('marks a window that is assumed', () => {
    const status = { ...gauge(142_310, 200_000), source: 'provider', assumed: true } as const
    expect(textAt(160, { status })).toContain('71.16% 142.3k of 200k (assumed) · type')
  })

  it('shows the known part of the cost if the price of some calls is not known', () => {
    const unknown = { ...state, cost: undefined }
    expect(textAt(140, { ...unknown, knownCost: 0.32 })).toContain(' · ≥ $0.32 ')
    expect(textAt(140, { ...unknown, knownCost: 0 })).not.toContain('$')
  })

  it('leaves out the least important first, and each part whole except the model’s name', () => {
    const shown = [140, 115, 100, 80, 60, 40, 24, 10].map((width) => textAt(width).replace(/ {2,}/g, '  '))
    expect(shown).toMatchSnapshot()
    for (const width of [140, 115, 100, 80, 60, 40, 24]) expect(textAt(width).length).toBe(width)
  })

  it('gives up the hint before the model, the permission mode, the bar and the numbers, at every width', () => {
    expect(textAt(60, { model: 'local/main' })).toMatch(
      /^main · auto-edit · \$0\.42 +███████░░░ 71\.16% 142\.3k of 200k$/,
    )
    for (let width = 8; width < 200; width++) {
      const line = textAt(width, { model: 'local/main' })
      if (line.includes('/compact'))
        expect(line).toMatch(/main · .*auto-edit.* ███████░░░ 71\.16% 142\.3k of 200k · type/)
    }
  })

  it.each([80, 60, 40, 24])('has the permission mode at %i columns, with and without the hint', (width) => {
    const permissions = 'auto-edit, sandbox without network'
    expect(textAt(width, { permissions })).toMatch(/auto-edit.* 71\.16%/)
    expect(textAt(width, { permissions, suggestPercent: 0 })).toMatch(/auto-edit.* 71\.16%/)
  })

  it('does not show the id of a session without a title', () => {
    expect(textAt(140, { session: { id: '1a2b3c4d-0000', workspace: '/work' } })).not.toContain('1a2b')
  })

  it('is never wider than the screen, whatever the width and the title', () => {
    for (let width = 8; width < 200; width++) {
      const title = '日本語の長い題名がここにあります'
      const session = { id: 'x', title, workspace: '/' }
      const line = statusLine({ ...state, session }, width)
      const cells = line.reduce((sum, [text]) => sum + [...text].reduce((w, c) => w + (c > '⺀' ? 2 : 1), 0), 0)
      expect(cells).toBeLessThanOrEqual(Math.max(width, 6))
    }
  })

  it('without a window there is N/A, no bar and no hint', () => {
    expect(textAt(80, { status: { ...gauge(900_000, undefined), source: 'estimate' } })).toMatch(
      /^claude.*N\/A 900k tokens, window unknown$/,
    )
  })

  it('the hint begins at the share that the policy says, and 0 never suggests', () => {
    const at = (tokens: number, suggestPercent: number) =>
      textAt(140, { suggestPercent, status: { ...gauge(tokens, 10_000), source: 'provider' } }).includes('/compact')
    expect([at(6_999, 70), at(7_000, 70), at(9_999, 0)]).toEqual([false, true, false])
  })
})
