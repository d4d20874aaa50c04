import { expect, it } from 'vitest'
import { homeRules, inHome } from '../../../src/agent/permissions/rule.ts'

it.each([
  ['~/notes', '/home/me/notes'],
  ['~', '/home/me'],
  ['$HOME/a', '/home/me/a'],
  [`$\{HOME}/a`, '/home/me/a'],
  ['~other/a', '~other/a'],
  ['$HOMEX', '$HOMEX'],
  ['a/~/b', 'a/~/b'],
  ['a', 'a'],
])('%s is %s', (path, full) => {
  expect(inHome(path, '/home/me')).toBe(full)
})

it('a home folder with a $ in its name stays as it is', () => {
  expect(inHome('~/a', '/home/$&me')).toBe('/home/$&me/a')
})

it('rules of paths mean the home folder by it, those of tools do not', () => {
  const rules = homeRules(
    {
      always: [{ kind: 'read', pattern: '~/a' }],
      never: [
        { kind: 'edit', pattern: '~/b' },
        { kind: 'tool', pattern: '~/c' },
        { kind: 'command', pattern: '~/d' },
      ],
    },
    '/home/me',
  )
  expect(rules).toEqual({
    always: [{ kind: 'read', pattern: '/home/me/a' }],
    never: [
      { kind: 'edit', pattern: '/home/me/b' },
      { kind: 'tool', pattern: '~/c' },
      { kind: 'command', pattern: '~/d' },
    ],
  })
})
