import { appendFileSync, existsSync, readdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { assistant, call, turns, user } from '../../support/messages.ts'
import { called, claudeLine, mcpWorld } from './mcp-world.ts'

const CLAUDE = '7d1a2b3c-1111-4222-8333-444455556666'
const OTHER = '0b6c1f7e-1111-4222-8333-444455556666'
const LONG = 'Much was said about the parser. '.repeat(2_000)

function turnTexts(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `Step ${i}: ${'done. '.repeat(2_000)}`)
}

describe('pith mcp', () => {
  it('has recall, pins and the context of a stored session', async () => {
    const world = mcpWorld()
    const input = { path: 'src/parser.ts', content: 'export const a = 1\n' }
    const call = { toolCallId: 'c1', toolName: 'write' }
    const id = await world.store([
      { role: 'user', content: 'Mend the parser, never touch port 4711' },
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: 'ok' } }] },
      { role: 'assistant', content: LONG },
      { role: 'user', content: LONG },
      { role: 'assistant', content: 'Done' },
      { role: 'user', content: 'And now?' },
      { role: 'assistant', content: 'Nothing' },
    ])
    const client = await world.connect()
    const found = await called(client, 'recall', { search: 'PORT 4711' })
    expect(found).toContain(`Session ${id} of Pith`)
    expect(found).toMatch(/\(the newest of this folder\)\n\n#1 \(user, .*\):\n {2}Mend the parser/)
    expect(await called(client, 'recall', { handles: '#1' })).toMatch(/#1 \(user\)\n.*never touch port 4711$/s)
    expect(await called(client, 'pin', { handle: '#1' })).toContain('#1 stays word for word')
    expect(await called(client, 'recall', { handles: '#9' })).toMatch(/#9 \(pin\)\n.*"target":1,"on":true/)
    const context = await called(client, 'context', {})
    expect(context).toMatch(/- assistant: [\d,]+ \(\d+\.\d%\)/)
    expect(context).toContain('- #4 assistant: Much was said')
  })

  it('puts a message back that a compaction replaced, as /pin does in the terminal', async () => {
    const world = mcpWorld()
    const id = await world.store([...turns(6, 2_000), user('And now?'), assistant('Nothing')])
    await world.compact(id)
    const client = await world.connect()
    const largest = async () => (await called(client, 'context', {})).split('The largest entries:')[1]
    expect(await largest()).not.toContain('- #2 assistant')
    expect(await called(client, 'pin', { handle: '#2' })).toContain(
      '#2 came back word for word, and stays through later compactions.',
    )
    expect(await largest()).toContain('- #2 assistant')
    expect(await called(client, 'pin', { handle: '#2' })).toContain('#2 stays word for word')
    await called(client, 'pin', { handle: '#2', on: false })
    expect(await largest()).toContain('- #2 assistant')
  })

  it('says so if the agent compacts by itself and has to read the message', async () => {
    const world = mcpWorld()
    await world.compact(await world.store([...turns(6, 2_000), user('And now?'), assistant('Nothing')], 'host:77'))
    const client = await world.connect({ PITH_WRAPPED: 'host:77' })
    expect(await called(client, 'pin', { handle: '#2' })).toMatch(/#2 came back .* if the gateway.*`recall`/s)
  })

  it('reads the file of a running agent again for each call, and other sessions beside it', async () => {
    const world = mcpWorld()
    world.claude(OTHER, ['The second thing of elsewhere', 'Yes'], '/elsewhere')
    const file = world.claude(CLAUDE, ['First', 'Answer'])
    const client = await world.connect()
    const recall = (args: object) => called(client, 'recall', { search: 'second thing', ...args })
    expect(await recall({})).toContain('Nothing was found')
    appendFileSync(file, claudeLine(CLAUDE, 'A second \u001b[31mthing', 2, world.workspace))
    appendFileSync(file, claudeLine(CLAUDE, 'The second thing', 3, world.workspace))
    const found = await recall({})
    expect(found).toContain(`Session ${CLAUDE} of Claude Code`)
    expect(found).toMatch(/#4 \(assistant, .*\):\n.* {2}The second thing/s)
    expect(await called(client, 'recall', { handles: '#3' })).toContain('A second \\u001b[31mthing')
    expect(await recall({ scope: 'folder' })).toMatch(/^2 entries of 4 of this folder match.*\n\nsession 7d1a2b3c/)
    const all = await recall({ scope: 'everything' })
    expect(all).toMatch(/^3 entries of 6 of this machine match/)
    expect(all).toContain(`session ${OTHER} (Claude Code`)
    expect(await called(client, 'recall', { handles: '#1', session: OTHER.slice(0, 8) })).toContain('elsewhere')
  })

  it('leaves no file of its own on a machine without a store when it only reads a session', async () => {
    const world = mcpWorld()
    world.claude(CLAUDE, ['Where does the heron live?'])
    const client = await world.connect()
    expect(await called(client, 'recall', { handles: '#1' })).toContain('Where does the heron live?')
    expect(existsSync(world.data) ? readdirSync(world.data) : []).toEqual([])
  })

  it('answers from the session that a gateway recorded, so that the handles of its records mean the same', async () => {
    const world = mcpWorld()
    const [first, second] = [
      'The heron waits for its turn beside the upload queue.',
      'The newt has taken its place there.',
    ]
    const said = [user('Reminder'), user('Where is it?'), assistant(first), user('And the newt?'), assistant(second)]
    const id = await world.store(said, 'host:1')
    for (let i = 0; i < 60; i++) await world.store([user(`Another one: ${i}`)], `host:${i + 2}`)
    world.claude(CLAUDE, ['Where is it?', first, 'And the newt?', second])
    const client = await world.connect()
    for (const named of [{}, { session: CLAUDE }]) {
      const text = await called(client, 'recall', { handles: '#5', ...named })
      expect(text).toContain(`Session ${id} of Claude Code`)
      expect(text).toContain(second)
    }
  })

  it('answers the handles of a record that another agent continues with from the session that it was made from', async () => {
    const world = mcpWorld()
    await world.handOff(world.claude(OTHER, ['The heron needs port 4711', ...turnTexts(40)], '/elsewhere'))
    const client = await world.connect()
    const text = await called(client, 'recall', { handles: '#1' })
    expect(text).toMatch(/^Session \S+ of Codex.* \(the newest of this folder\)\n\n#1 \(user\)\n.*port 4711$/)
    expect(await called(client, 'recall', { search: 'heron port' })).toMatch(/\n\n#1 \(user, /)
  })

  it('says when Pith compacts next if its gateway does, and not that the agent decides', async () => {
    const world = mcpWorld()
    await world.store([user('wrapped words')], 'host:77')
    onTestFinished(world.gateway({ recorder: 'host:77', mode: 'rewrite' }))
    const client = await world.connect({ PITH_WRAPPED: 'host:77' })
    const text = await called(client, 'context', {})
    expect(text).toContain('of the wrapped agent')
    expect(text).not.toContain('decides')
    expect(text).toContain('automatic compaction')
  })

  describe('lets a wrapped agent change its own context', () => {
    const input = { action: 'drop', part: '#2' }
    const talk = [user('Look into it.'), assistant(LONG), user('And now?')]
    const asking = call('c9', 'mcp__pith__change_context', { ...input, wait_for_previous: true })

    it('if its gateway rewrites the conversation that calls', async () => {
      const world = mcpWorld()
      await world.store([...talk, asking], 'host:77')
      await world.store([user('A sub-agent.'), assistant(LONG), user('More.')], 'host:77')
      onTestFinished(world.gateway({ recorder: 'host:77', mode: 'rewrite' }))
      const client = await world.connect({ PITH_WRAPPED: 'host:77' })
      expect(await called(client, 'change_context', input)).toMatch(/^#2 left out by the model\. The context: /)
      expect(await called(client, 'context', {})).toContain('#2 left out by the model, restore #2')
    })

    it.each([
      ['two conversations make the same call', 'rewrite', [asking], [asking]],
      ['no conversation makes the call', 'rewrite', [], []],
    ] as const)('not if %s', async (_, mode, one, other) => {
      const world = mcpWorld()
      await world.store([...talk, ...one], 'host:77')
      await world.store([...talk, ...other], 'host:77')
      onTestFinished(world.gateway({ recorder: 'host:77', mode }))
      const client = await world.connect({ PITH_WRAPPED: 'host:77' })
      expect(await called(client, 'change_context', input)).toBe(
        'Nothing was changed: Pith cannot tell which conversation of this agent asks.',
      )
    })

    it('not if its gateway does not rewrite, and it has no such tool without a gateway', async () => {
      const world = mcpWorld()
      await world.store([...talk, asking], 'host:77')
      onTestFinished(world.gateway({ recorder: 'host:77', mode: 'observe' }))
      const client = await world.connect({ PITH_WRAPPED: 'host:77' })
      expect(await called(client, 'change_context', input)).toContain('only a gateway in mode `rewrite` can do that')
      const { tools } = await (await world.connect()).listTools()
      expect(tools.map(({ name }) => name)).not.toContain('change_context')
    })
  })

  it('gives no access to the sessions that this machine keeps for other owners', async () => {
    const world = mcpWorld()
    const own = await world.store([user('Think of the heron.')])
    const hers = await world.store([user('Think of the newt.')], 'host:77', 'ann')
    const client = await world.connect({ PITH_WRAPPED: 'host:77' })
    expect(await called(client, 'recall', { handles: '#1' })).toContain(`Session ${own} of Pith`)
    for (const scope of ['folder', 'everything'])
      expect(await called(client, 'recall', { search: 'newt', scope })).toContain('Nothing was found')
    expect(await called(client, 'recall', { handles: '#1', session: hers })).toContain(`there is no session ${hers}: `)
  })

  it('takes the newest session of the wrapped agent, and ends with its client', async () => {
    const world = mcpWorld()
    const wrapped = await world.store([{ role: 'user', content: 'wrapped words' }], 'host:77')
    world.claude(CLAUDE, ['Newer', 'Yes'])
    const client = await world.connect({ PITH_WRAPPED: 'host:77' })
    const text = await called(client, 'context', {})
    expect(text).toContain(`Session ${wrapped} of the wrapped agent`)
    expect(text).toContain('the wrapped agent decides when it compacts')
    const { pid } = client.transport as unknown as { pid: number }
    await client.close()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})
