import { describe, expect, it } from 'vitest'
import { decide } from '../../../src/agent/permissions/decide.ts'
import { homeRules, type Rule, ruleSchema } from '../../../src/agent/permissions/rule.ts'
import type { PermissionRequest } from '../../../src/agent/tool.ts'
import { RULES_OF_0_2 } from './rules-of-0.2.ts'

const FILES = ['/w/.env', '/w/src/a.ts', '/w/db/x.sql', '/home/u/notes/a.md']
const PLACE = {
  workspace: '/w',
  home: '/home/u',
  probe: {
    exists: (path: string) => FILES.some((file) => file === path || file.startsWith(`${path}/`)),
    below: (folder: string) => FILES.filter((file) => file.startsWith(`${folder}/`)),
  },
}

function requestOf(text: string): PermissionRequest {
  const [kind = '', ...words] = text.split(' ')
  const rest = words.join(' ')
  if (kind === '$') return { kind: 'command', command: rest }
  if (kind === 'tool') return { kind, tool: rest, input: '' }
  const outside = rest.startsWith('/')
  return kind === 'edit' ? { kind, path: rest, outside, diff: '' } : { kind: 'read', path: rest, outside }
}

const rows = Object.entries(RULES_OF_0_2).map(([text, requests]) => {
  const list = text.startsWith('never ') ? ('never' as const) : ('always' as const)
  const [, kind, pattern] = /^\w+ (\w+): (.*)$/s.exec(text) ?? []
  const rule: Rule = ruleSchema.parse({ kind, pattern })
  const rules = homeRules({ always: [], never: [], [list]: [rule] }, PLACE.home)
  const decisions = Object.entries(requests).flatMap(([change, all]) => {
    const [was = '', now = was] = change.split(' → ')
    return all.map((request) => ({ request, was, now }))
  })
  return { text, list, rules, decisions }
})

describe('a rule of 0.2', () => {
  it.each(rows)('decides as listed: $text', ({ list, rules, decisions }) => {
    const mode = list === 'never' ? 'full' : 'ask'
    const found = decisions.map(({ request, was }) => {
      const { kind: now } = decide(mode, rules, requestOf(request), PLACE)
      return { request, was, now }
    })
    expect(found).toEqual(decisions)
  })

  it('forbids or makes doubtful whatever it forbade, and allows whatever it allowed', () => {
    const changes = new Set(rows.flatMap(({ list, decisions }) => decisions.map((d) => `${list}: ${d.was} → ${d.now}`)))
    expect([...changes].sort()).toEqual([
      'always: allow → allow',
      // Commands that only look, and allowed commands in a line with others.
      'always: ask → allow',
      'always: ask → ask',
      'never: allow → allow',
      'never: allow → ask',
      'never: allow → refuse',
      'never: ask → ask',
      // In 0.2, a command that may be forbidden was refused in `full`. It still is if nobody can be asked.
      'never: refuse → ask',
      'never: refuse → refuse',
    ])
  })
})
