import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answerProjectMcp, projectMcp } from '../../src/config/project-mcp.ts'
import { configFolders } from '../support/config-folders.ts'

function project(text: string) {
  const { workspace, env } = configFolders()
  const write = (content: string) => writeFileSync(join(workspace, '.mcp.json'), content)
  write(text)
  const variables = { ...env, TOKEN: 'secret' }
  return {
    write,
    read: () => projectMcp(workspace, variables),
    answer: (answer: 'trusted' | 'refused') => answerProjectMcp(workspace, answer, variables),
  }
}

const SERVER = `{ "mcpServers": { "a": { "command": "run", "args": ["--key", "\${TOKEN}", "\${NONE:-x}"] } } }`

it('the answer of the user holds for one text of the file', () => {
  const { write, read, answer } = project(SERVER)
  expect(read()).toMatchObject({
    answer: undefined,
    servers: { a: { command: 'run', args: ['--key', 'secret', 'x'] } },
  })
  answer('trusted')
  expect(read()?.answer).toBe('trusted')
  write(JSON.stringify({ mcpServers: { a: { command: 'rm' } } }))
  expect(read()?.answer).toBeUndefined()
  answer('refused')
  expect(read()?.answer).toBe('refused')
})

it('a file that is no list of servers starts nothing and says why', () => {
  expect(project('{ "mcpServers": { "a": { "command": 3 } } }').read()).toMatchObject({
    servers: {},
    why: expect.stringContaining('mcpServers.a.command'),
  })
  expect(project('{ "mcpServers": {\n  "a": { "command": 3 } } }').read()?.why).toContain(
    'is not read: mcpServers.a.command: must be a text, not a number',
  )
  expect(project('{}').read()?.why).toContain('is not read: mcpServers: is missing: it takes a table')
  expect(project('{ "mcpServers": {\n  "a": {},\n} }').read()?.why).toContain('.mcp.json:3:1 is not JSON')
  expect(project('not json').read()?.why).toContain(".mcp.json:1:2 is not JSON: Unexpected token 'o'")
  expect(project('{\n// mine\n}').read()?.why).toContain('.mcp.json:2:1 is not JSON')
  expect(project('{\n').read()?.why).toMatch(/\.mcp\.json:2:1 is not JSON/)
})
