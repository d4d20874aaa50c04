import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ready, start } from '../../tui/support/fixture.ts'
import { KEY, serverConfig } from '../../tui/support/program.ts'
import { replies } from '../../tui/support/talk.ts'

const SECRET = 'sk-acme-0123456789abcdefghijklmnop'

/** A provider that wants a key, which is in no variable and in no file. */
async function keyless() {
  const { at, model } = await ready(replies(), {}, { apiKey: SECRET })
  at.config({
    ...serverConfig(model),
    providers: { test: { kind: 'openai-compatible', base_url: model.baseUrl('chat'), api_key_env: 'ACME_KEY' } },
  })
  const folder = at.env.PITH_HOME ?? ''
  chmodSync(join(folder, 'config.yaml'), 0o644)
  const program = start(at, { columns: 80, rows: 24 })
  await program.sees('No key for test')
  await program.send('/model test/pith-test')
  await program.sees('Key for test')
  return { at, program, folder }
}

describe('/model with a key that is missing', () => {
  it('takes the key without showing it, stores it for its owner alone, and uses it now and later', async () => {
    const { at, program, folder } = await keyless()
    program.paste(SECRET)
    const screen = await program.sees('34 characters')
    expect(screen).toContain('It is not shown. Enter stores it, Esc leaves')
    program.press(KEY.enter)
    await program.sees('The model is test/pith-test now.')
    await program.send('hello')
    await program.sees('Understood.')
    program.press(KEY.up, KEY.up, KEY.up)
    await program.sees('/model test/pith-test')
    program.press(KEY.interrupt)
    await program.quit()
    expect(program.terminal.written).not.toContain('sk-acme')
    const file = join(folder, 'config.yaml')
    expect(readFileSync(file, 'utf8')).toContain(`api_key: ${SECRET}`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const others = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (found) => found.isFile() && found.name !== 'config.yaml',
    )
    expect(others.length).toBeGreaterThan(0)
    for (const { parentPath, name } of others)
      expect(readFileSync(join(parentPath, name), 'latin1')).not.toContain(SECRET)
    const again = start(at)
    await again.sees('test/pith-test ·')
    await again.send('hello again')
    await again.sees('Understood.')
  })

  it('leaves everything as it was after Esc', async () => {
    const { program, folder } = await keyless()
    program.type('sk-half')
    await program.sees('7 characters')
    program.press(KEY.escape)
    await program.seesNot('Key for test')
    expect(readFileSync(join(folder, 'config.yaml'), 'utf8')).not.toContain('sk-half')
    expect(program.terminal.written).not.toContain('sk-half')
  })
})
