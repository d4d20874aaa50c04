import { describe, expect, it } from 'vitest'
import { sessionsTable } from '../../../../src/cli/commands/sessions/sessions-list.ts'

const session = {
  id: 'abcdef0123456789',
  agent: 'Claude Code',
  modifiedAt: 0,
  title: 'Uploads that hang now and then, and what followed from that',
  workspace: '/home/me/work/uploads',
  messages: 130,
  tokens: 15_200,
  window: 20_500,
  compactions: 2,
}

describe('the table of sessions', () => {
  it.each([120, 100, 80, 60, 40])('has titles and fits a terminal of %i columns', (width) => {
    const place = { ids: [session.id], width, home: '/home/me', now: 3 * 3_600_000 }
    const [head = '', row = ''] = sessionsTable([session], place)
    expect(head).toMatch(/TITLE$/)
    expect(row).toMatch(/^abcdef01 .*3h .*74\.15% .*Uploads that/)
    expect(row.length).toBeLessThanOrEqual(width)
    expect(row.includes('/uploads')).toBe(width >= 80)
    expect(row.includes('130')).toBe(width >= 100)
  })
})
