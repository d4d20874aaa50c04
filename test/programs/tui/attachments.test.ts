import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSummarising } from '../../support/model-server/index.ts'
import { calling, saidTo, scriptedBrain } from '../../support/scripted-brain.ts'
import { ready, start } from '../../tui/support/fixture.ts'

const SIZE = { columns: 80, rows: 24 }
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)

async function talk(
  steps: Parameters<typeof scriptedBrain>[0]['steps'],
  input: readonly string[] = ['text', 'image'],
  config: Record<string, unknown> = {},
) {
  const made = await ready(scriptedBrain({ steps }), {
    permissions: 'full',
    ...config,
    models: [{ provider: 'test', model: 'pith-test', context_window: 100_000, input: [...input] }],
  })
  writeFileSync(join(made.at.workspace, 'shot.png'), PIXEL)
  made.at.file('src/a.ts', 'export const answer = 42\n')
  const program = start(made.at, SIZE)
  await program.sees('%')
  const body = () => JSON.stringify(made.model.requests.at(-1)?.body)
  return { ...made, program, body }
}

describe('files in a message', () => {
  it('@file attaches its content, which counts as read, and the words of the user stay theirs', async () => {
    const edits = [{ oldText: '42', newText: '43' }]
    const { program, model, at } = await talk([{ text: 'I see.' }, calling('edit', { path: 'src/a.ts', edits })])
    await program.send('what is in @src/a.ts?')
    await program.sees('I see.')
    const said = saidTo(model.requests.at(-1)?.request)
    expect(said).toContain('export const answer = 42')
    const screen = await program.screen()
    expect(screen).toContain('› what is in @src/a.ts?')
    expect(screen).toContain('Attached src/a.ts')
    expect(screen).not.toContain('answer = 42')
    await program.send('change it')
    await program.sees('Done.')
    expect(readFileSync(join(at.workspace, 'src/a.ts'), 'utf8')).toContain('43')
  })

  it('@shot.png and a pasted path show the image, it is counted, and recall brings it back', async () => {
    const { program, body } = await talk([{ text: 'A dot.' }, calling('recall', { handles: '#2' }), { text: 'Again.' }])
    await program.send('what is @shot.png')
    await program.sees('A dot.')
    expect(body()).toContain(PIXEL.toString('base64'))
    expect(Number(/([\d.]+)k of 100k/.exec(await program.status())?.[1])).toBeGreaterThan(2)
    program.paste('shot.png')
    await program.send(' again')
    await program.sees('Again.')
    expect(body().split(PIXEL.toString('base64')).length - 1).toBe(3)
  })

  it('an image in what is compacted leaves the request, its handle stays, and recall brings it back', async () => {
    const answers = ['A dot.', 'One.', 'Two.', 'Three.'].map((text) => ({ text }))
    const again = calling('recall', { handles: '#2' })
    const policy = { preset: 'agent', prompt_set: 'pith' }
    const { program, body, model } = await talk([...answers, again, { text: 'Again.' }], undefined, { policy })
    const image = PIXEL.toString('base64')
    await program.send('what is @shot.png')
    await program.sees('A dot.')
    for (const text of ['One.', 'Two.', 'Three.']) {
      await program.send(`go on to ${text}`)
      await program.sees(new RegExp(`^  ${text}`, 'm'))
    }
    const before = Number(/([\d.]+)k of 100k/.exec(await program.status())?.[1])
    await program.send('/compact')
    await program.sees('✓ Compacted')
    const asked = model.requests.findLast(({ request }) => request !== undefined && isSummarising(request))
    expect(JSON.stringify(asked?.body)).toContain('[image]')
    expect(JSON.stringify(asked?.body)).not.toContain(image)
    await program.sees((screen) => Number(/([\d.]+)k of 100k/.exec(screen)?.[1]) < before)
    await program.send('show it again')
    await program.sees('Again.')
    const sent = model.requests.slice(-2).map((record) => JSON.stringify(record.body).split(image).length - 1)
    expect(sent).toEqual([0, 1])
    expect(body()).toContain('#2')
  })

  it('the read tool shows an image to a model that can see', async () => {
    const { program, body } = await talk([calling('read', { path: 'shot.png' }), { text: 'Seen.' }])
    await program.send('look at the shot')
    await program.sees('Seen.')
    expect(body()).toContain(`"url":"data:image/png;base64,${PIXEL.toString('base64')}"`)
    expect(body()).toContain('a PNG image, 70 bytes.\\n[image 1 of the next message]')
  })

  it('a model without eyes gets a line, and so does the user', async () => {
    const { program, body } = await talk([{ text: 'Cannot see.' }], ['text'])
    await program.send('what is @shot.png')
    await program.sees('Cannot see.')
    expect(await program.screen()).toContain('does not accept images')
    expect(body()).not.toContain(PIXEL.toString('base64'))
    expect(body()).toContain('image left out')
  })
})
