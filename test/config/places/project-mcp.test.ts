import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { dataFolder } from '../../../src/config/places/folders.ts'
import { answerProjectMcp, projectMcp } from '../../../src/config/places/project-mcp.ts'
import { configFolders } from '../../support/config-folders.ts'

function project(text: string) {
  const { workspace, env } = configFolders()
  const write = (content: string) => writeFileSync(join(workspace, '.mcp.json'), content)
  write(text)
  const variables = { ...env, TOKEN: 'secret' }
  const read = () => projectMcp(workspace, variables)
  return {
    workspace,
    trusted: join(dataFolder(variables), 'trusted.json'),
    write,
    read,
    answer: (answer: 'trusted' | 'refused', shown = read()) => {
      if (shown !== undefined) answerProjectMcp(shown, answer, variables)
    },
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

it('a file that is not a list of servers starts nothing and says why', () => {
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

it('any change of what runs or is sent is asked about again', () => {
  const server = {
    command: 'node',
    args: ['srv.js'],
    env: { A: '1' },
    url: 'http://localhost:1',
    headers: { H: 'x' },
    cwd: '.',
  }
  const changes = [
    { command: 'sh' },
    { args: ['srv.js', '-x'] },
    { env: { A: '2' } },
    { url: 'http://localhost:2' },
    { headers: { H: 'y' } },
    { cwd: 'sub' },
  ]
  for (const change of changes) {
    const { write, read, answer } = project(JSON.stringify({ mcpServers: { a: server } }))
    answer('trusted')
    expect(read()?.answer).toBe('trusted')
    write(JSON.stringify({ mcpServers: { a: { ...server, ...change } } }))
    expect(read()?.answer, JSON.stringify(change)).toBeUndefined()
  }
})

it('a yes is for the text that was shown, not for one that came while the question was open', () => {
  const { write, read, answer } = project(SERVER)
  const shown = read()
  write(JSON.stringify({ mcpServers: { a: { command: 'evil' } } }))
  answer('trusted', shown)
  expect(read()?.answer).toBeUndefined()
})

it('a yes that 0.2 stored is asked about again, because its question showed less; its no still counts', () => {
  const { workspace, trusted, read } = project(SERVER)
  const hash = createHash('sha256').update(SERVER).digest('hex')
  mkdirSync(dirname(trusted), { recursive: true })
  const store = (value: string) => writeFileSync(trusted, JSON.stringify({ [join(workspace, '.mcp.json')]: value }))
  store(hash)
  expect(read()?.answer).toBeUndefined()
  store(`refused ${hash}`)
  expect(read()?.answer).toBe('refused')
})

it('neither the question nor the stored answer has the value of a variable', () => {
  const { trusted, read, answer } = project(SERVER)
  expect(JSON.stringify(read()?.asked)).not.toContain('secret')
  answer('trusted')
  expect(readFileSync(trusted, 'utf8')).not.toContain('secret')
})
