import { describe, expect, it } from 'vitest'
import type { CommandContext } from '../../../src/tui/commands/command.ts'
import { slashPolicy } from '../../../src/tui/commands/settings.ts'

async function said(rest: string): Promise<string> {
  const notes: string[] = []
  await slashPolicy.run({ note: (text: string) => notes.push(text), port: {} } as unknown as CommandContext, rest)
  return notes.join('\n')
}

describe('/policy with one word', () => {
  it('asks for the value of a setting, also of one that has a name of its own in the configuration', async () => {
    expect(await said('trigger_percent')).toBe('Say the value: /policy trigger_percent <value>')
    expect(await said('preserve_count')).toBe('Say the value: /policy preserve_count <value>')
  })

  it('says that a name is neither a setting nor a preset, and which one is near', async () => {
    expect(await said('triger_percent')).toBe(
      'There is no preset or setting triger_percent: did you mean trigger_percent?',
    )
    expect(await said('economie')).toBe('There is no preset or setting economie: did you mean economy?')
    expect(await said('foo')).toBe(
      'There is no preset or setting foo: the presets are pith, keen, koda, agent, kit, economy, balanced, full-window, and /policy lists the settings',
    )
  })
})
