import { describe, expect, it } from 'vitest'
import { allows, forbidsPath } from '../../../src/agent/permissions/decide.ts'
import { ruleSchema } from '../../../src/agent/permissions/rule.ts'

describe('a pattern of paths', () => {
  const forbids = (pattern: string, path: string) => forbidsPath({ kind: 'read', pattern }, { kind: 'read', path })

  it.each([
    ['a', 'a', true],
    ['a', 'a/b', false],
    ['a/', 'a', true],
    ['a//', 'a', true],
    ['./a', 'a', true],
    ['a', './a', true],
    ['/', '/', true],
    ['/', '/a', false],
    ['.', '.', true],
    ['.', 'a', false],
    ['a/*', 'a/b', true],
    ['a/*', 'a/b/c', false],
    ['a/**', 'a/b/c', true],
    ['a/**', 'a', true],
    ['**/b', 'b', true],
    ['**/b', 'a/c/b', true],
    ['**/b', 'a/bb', false],
    ['*.ts', 'a.ts', true],
    ['*.ts', 'x/a.ts', false],
    ['x.a', 'x./a', false],
  ])('%s means %s: %s', (pattern, path, is) => {
    expect(forbids(pattern, path)).toBe(is)
  })

  it('against reading is against editing too, and not the other way round', () => {
    expect(forbidsPath({ kind: 'read', pattern: 'a' }, { kind: 'edit', path: 'a' })).toBe(true)
    expect(forbidsPath({ kind: 'edit', pattern: 'a' }, { kind: 'edit', path: 'a' })).toBe(true)
    expect(forbidsPath({ kind: 'edit', pattern: 'a' }, { kind: 'read', path: 'a' })).toBe(false)
    expect(forbidsPath({ kind: 'command', pattern: 'a' }, { kind: 'read', path: 'a' })).toBe(false)
  })

  it('allows its own kind only, and outside only when it is absolute', () => {
    const path = (kind: 'read' | 'edit', path: string) => ({ kind, path, outside: path.startsWith('/') }) as const
    expect(allows({ kind: 'read', pattern: 'a' }, path('read', 'a'))).toBe(true)
    expect(allows({ kind: 'edit', pattern: 'a' }, path('read', 'a'))).toBe(false)
    expect(allows({ kind: 'read', pattern: '**' }, path('read', '/a'))).toBe(false)
    expect(allows({ kind: 'read', pattern: '/**' }, path('read', '/a'))).toBe(true)
  })
})

it('a rule needs a kind that is known and a pattern', () => {
  for (const kind of ['command', 'edit', 'read', 'tool'])
    expect(ruleSchema.safeParse({ kind, pattern: 'a' }).success).toBe(true)
  for (const rule of [{ kind: 'write', pattern: 'a' }, { kind: 'read', pattern: '' }, { kind: 'read' }])
    expect(ruleSchema.safeParse(rule).success).toBe(false)
})
