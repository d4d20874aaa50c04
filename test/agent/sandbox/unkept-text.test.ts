import { expect, it } from 'vitest'
import { bubblewrap } from '../../../src/agent/sandbox/bubblewrap.ts'
import { unkeptText } from '../../../src/agent/sandbox/unkept-text.ts'

const sandbox = { ...bubblewrap({ workspace: '/work', places: () => [] }, true), secrets: () => [] }
const env = { kind: 'read', pattern: '**/.env*' }
const push = { kind: 'command', pattern: 'git push *' }
const network = { kind: 'network', pattern: '*' }
const tool = { kind: 'tool', pattern: 'docs__*' }

it('a line names the never rules that the sandbox cannot keep, and only those', () => {
  expect(unkeptText(sandbox, [env, network, tool])).toBeUndefined()
  const line = unkeptText(sandbox, [env, push, { kind: 'read', pattern: '/**/id_rsa' }])
  expect(line).toContain('command: git push *, read: /**/id_rsa')
  expect(line).not.toContain('.env')
})

it('without a sandbox the line names all of them except those about tools', () => {
  expect(unkeptText(undefined, [])).toBeUndefined()
  expect(unkeptText(undefined, [env, network, tool])).toBe(
    'There is no sandbox for commands here, so these never rules are only as good as reading the text of a command: read: **/.env*, network: *',
  )
})
