import { expect, it } from 'vitest'
import { suggestRules } from '../../../src/agent/permissions/rule.ts'
import type { PermissionRequest } from '../../../src/agent/tool.ts'

const texts = (request: PermissionRequest) => {
  const { exact, prefix } = suggestRules(request)
  return [exact, prefix].map((rules) => rules?.map(({ kind, pattern }) => `${kind}: ${pattern}`))
}
const command = (command: string): PermissionRequest => ({ kind: 'command', command })

it.each<[PermissionRequest, (string[] | undefined)[]]>([
  [{ kind: 'tool', tool: 'docs__find', input: '{}' }, [['tool: docs__find'], undefined]],
  [{ kind: 'read', path: '/etc/hosts', outside: true }, [['read: /etc/hosts'], undefined]],
  [{ kind: 'edit', path: 'src/a.ts', outside: false }, [['edit: src/a.ts'], undefined]],
  // As a rule it would mean other files, too.
  [{ kind: 'edit', path: 'src/a*.ts', outside: false }, [undefined, undefined]],
  [command(' npm test\n'), [['command: npm test'], ['command: npm test *']]],
  [command('git commit -m "a * b"'), [["command: git commit -m 'a * b'"], ['command: git commit *']]],
  [command('npm run build -- --watch'), [['command: npm run build -- --watch'], ['command: npm run build *']]],
  [command('cargo bench'), [['command: cargo bench'], ['command: cargo bench *']]],
  [command('terser a.js'), [['command: terser a.js'], ['command: terser *']]],
  // With other arguments, these run anything.
  [command('python3 a.py'), [['command: python3 a.py'], undefined]],
  [command('git -c a=b diff'), [['command: git -c a=b diff'], undefined]],
  // Of a compound command, the parts that only look need no rule.
  [
    command('cd web && npm test && npm run lint | tail -5'),
    [
      ['command: npm test', 'command: npm run lint'],
      ['command: npm test *', 'command: npm run lint *'],
    ],
  ],
  [command('npm test > log.txt'), [['command: npm test'], ['command: npm test *']]],
  [command('npm test && python3 a.py'), [['command: npm test', 'command: python3 a.py'], undefined]],
  // No rule can allow what the shell turns into other words.
  [command('rm $X'), [undefined, undefined]],
  [command('rm ./*.ts'), [undefined, ['command: rm *']]],
])('for %j it is %j', (request, rules) => {
  expect(texts(request)).toEqual(rules)
})
