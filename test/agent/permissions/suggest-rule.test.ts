import { expect, it } from 'vitest'
import { suggestRule } from '../../../src/agent/permissions/rule.ts'
import type { PermissionRequest } from '../../../src/agent/tool.ts'

it.each<[PermissionRequest, ReturnType<typeof suggestRule>]>([
  [{ kind: 'tool', tool: 'docs__find' } as PermissionRequest, { kind: 'tool', pattern: 'docs__find' }],
  [
    { kind: 'read', path: '/etc/hosts', outside: true },
    { kind: 'read', pattern: '/etc/hosts' },
  ],
  [
    { kind: 'edit', path: 'src/a.ts', outside: false },
    { kind: 'edit', pattern: 'src/a.ts' },
  ],
  // As a rule it would mean other files, too.
  [{ kind: 'edit', path: 'src/a*.ts', outside: false }, undefined],
  [
    { kind: 'command', command: ' npm test\n' },
    { kind: 'command', pattern: 'npm test' },
  ],
  [{ kind: 'command', command: 'npm test && rm -rf x' }, undefined],
  [{ kind: 'command', command: 'ls *' }, undefined],
])('for %j it is %j', (request, rule) => {
  expect(suggestRule(request)).toEqual(rule)
})
