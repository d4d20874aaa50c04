import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type AttachmentDeps, withAttachments } from '../../../src/agent/attachments/with-attachments.ts'
import { agentWorld } from '../../support/agent-world.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000400000002008060000', 'hex')

/** Attaches what a message names, from a folder with these files. */
function attaching(files: Readonly<Record<string, string | Buffer>>, more: Partial<AttachmentDeps> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pith-attach-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const workspace = join(root, 'work')
  mkdirSync(workspace)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(workspace, name), content)
  const info = { provider: 'acme', model: 'one' }
  return { root, attach: (text: string) => withAttachments(text, { workspace, info, ...more }) }
}

const fileText = (path: string, content: string) => ({
  type: 'text',
  text: `<attached_file>\n${path}\n${content}\n</attached_file>`,
})

it('a message that is sent while the agent works brings its files too', async () => {
  const first = () => {
    world.agent.steering.push('look at @a.txt')
    return calling('bash', { command: 'true' })
  }
  const world = await agentWorld({ brain: scriptedBrain({ steps: [first] }) })
  onTestFinished(() => world.close())
  writeFileSync(join(world.workspace, 'a.txt'), 'the steered file\n')
  await world.say('Begin.')
  expect(saidTo(world.server.requests.at(-1)?.request)).toContain('the steered file')
})

it('a file that a never rule forbids is not attached, one that is not there stays a name, and both are said', async () => {
  const { attach } = attaching({ '.env': 'KEY=1\n' }, { mayRead: (path) => path !== '.env' })
  expect(await attach('use @.env and @nothing.txt')).toEqual({
    message: { role: 'user', content: 'use @.env and @nothing.txt' },
    files: [],
    notes: [
      '.env is not attached: a never rule forbids to read it',
      'Nothing is attached for @nothing.txt: there is no such file',
    ],
  })
  expect((await attach('look into @./ first')).notes).toEqual([
    expect.stringMatching(/^Nothing is attached for @\.\/: .+/),
  ])
})

it('files come after the words of the user in the order in which they are named, and count as read', async () => {
  const { attach } = attaching({ 'a.txt': 'one\n', 'b.txt': 'two\n' }, { mayRead: () => true })
  expect(await attach('compare @b.txt with @a.txt')).toEqual({
    message: {
      role: 'user',
      content: [
        { type: 'text', text: 'compare @b.txt with @a.txt' },
        fileText('b.txt', '1\ttwo'),
        fileText('a.txt', '1\tone'),
      ],
    },
    files: [
      { path: 'b.txt', access: 'read', hash: expect.any(String) },
      { path: 'a.txt', access: 'read', hash: expect.any(String) },
    ],
    notes: [],
  })
})

it('a file outside of the workspace is read, because the user named it', async () => {
  const { root, attach } = attaching({})
  const path = join(root, 'note.txt')
  writeFileSync(path, 'outside\n')
  const { message } = await attach(`see @"${path}"`)
  expect(message.content).toMatchObject([{}, fileText(path, '1\toutside')])
})

it('an image is attached as one, and a notice says when the model cannot see it', async () => {
  const seen = attaching(
    { 'shot.png': PNG, 'a.txt': 'x' },
    { info: { provider: 'acme', model: 'one', input: ['text', 'image'] } },
  )
  expect(await seen.attach('what is shot.png beside a.txt')).toMatchObject({
    message: {
      content: [
        { type: 'text' },
        fileText('shot.png', 'shot.png is a PNG image, 28 bytes.'),
        { type: 'image', image: PNG.toString('base64'), mediaType: 'image/png' },
      ],
    },
    notes: [],
  })
  const blind = attaching(
    { 'shot.png': PNG, 'a.txt': 'x' },
    { info: { provider: 'acme', model: 'one', input: ['text'] } },
  )
  expect((await blind.attach('what is shot.png')).notes).toEqual([
    'acme/one does not accept images: it only learns that there is one. Choose another model with /model',
  ])
  expect((await blind.attach('what is @a.txt')).notes).toEqual([])
  const unknown = attaching({ 'shot.png': PNG }, { info: { provider: 'acme', model: 'one' } })
  expect((await unknown.attach('what is shot.png')).notes).toEqual([
    'acme/one is not known to accept images: it only learns that there is one. If it does, add input: [text, image] to it under models in the configuration',
  ])
})

it('the name of a file that is not an image stays a name', async () => {
  const { attach } = attaching({ 'shot.png': 'a text' })
  expect((await attach('see shot.png')).message.content).toBe('see shot.png')
  expect((await attach('see @shot.png')).message.content).toHaveLength(2)
})

it('ten files are attached, and a notice lists the others', async () => {
  const names = Array.from({ length: 11 }, (_, i) => `f${i}.txt`)
  const { attach } = attaching(Object.fromEntries(names.map((name) => [name, name])))
  const mention = (some: readonly string[]) => some.map((name) => `@${name}`).join(' ')
  const ten = await attach(mention(names.slice(0, 10)))
  expect([ten.files.length, ten.notes]).toEqual([10, []])
  const more = await attach(mention(names))
  expect(more.files.map(({ path }) => path)).toEqual(names.slice(0, 10))
  expect(more.notes).toEqual(['Only the first 10 files that the message names are attached'])
})

it('a long file is attached up to the length that the view shows', async () => {
  const { attach } = attaching(
    { 'a.txt': 'line\n'.repeat(5_000) },
    { info: { provider: 'acme', model: 'one', contextWindow: 10_000 } },
  )
  const [, part] = (await attach('@a.txt')).message.content as { text: string }[]
  expect(part?.text.length).toBeLessThan(4_100)
  expect(part?.text).toContain('to go on: offset')
})
