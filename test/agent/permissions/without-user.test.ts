import { describe, expect, it } from 'vitest'
import { withoutUser } from '../../../src/agent/permissions/rule.ts'

describe('if no user can be asked', () => {
  it('a refusal says how a command could be allowed', () => {
    expect(withoutUser({ kind: 'command', command: 'npm test' }, 'full')).toBe(
      'Not allowed, and nobody is there to ask: running this command. The user can allow it with --permissions full or an always rule (command: npm test). Go on without it, or say what is needed.',
    )
    expect(withoutUser({ kind: 'command', command: 'a && b' }, 'full')).toContain(
      'allow it with --permissions full. Go on',
    )
  })

  it('a refusal says how a path could be allowed: outside of the workspace by no mode', () => {
    expect(withoutUser({ kind: 'edit', path: 'a.ts', outside: false }, 'auto-edit')).toContain(
      'editing a.ts. The user can allow it with --permissions auto-edit or an always rule (edit: a.ts).',
    )
    expect(withoutUser({ kind: 'edit', path: '/etc/hosts', outside: true }, undefined)).toContain(
      'editing /etc/hosts, which is outside of the workspace. The user can allow it with an always rule (edit: /etc/hosts).',
    )
  })

  it('a refusal says how reading inside of the workspace or a tool could be allowed', () => {
    expect(withoutUser({ kind: 'read', path: 'a.ts', outside: false }, 'full')).toContain(
      'reading a.ts. The user can allow it with --permissions full or an always rule (read: a.ts).',
    )
    expect(withoutUser({ kind: 'tool', tool: 'docs__find', input: '{}' }, 'full')).toContain(
      'calling docs__find. The user can allow it with --permissions full or an always rule (tool: docs__find).',
    )
  })

  it('a refusal of what no mode and no rule can allow says who can do it', () => {
    expect(withoutUser({ kind: 'read', path: '/tmp/a*', outside: true }, undefined)).toContain(
      'The user can run it themselves.',
    )
  })
})
