import { describe, expect, it } from 'vitest'
import { firstSteps, tokenCommand } from '../../../web/text/first-steps.ts'

const origin = 'https://pith.example:8443'
const commands = (owner: string) => firstSteps({ origin, owner }).map(({ command }) => command)

describe('the first steps of an empty list', () => {
  it('of the machine’s owner use its own commands', () => {
    expect(commands('local').slice(0, 2)).toEqual(['pith wrap claude', 'pith import example'])
    expect(tokenCommand('local')).toContain('pith serve token add')
  })

  it('of everybody else go to the address of the server, and nobody’s token is in them', () => {
    for (const command of commands('alice')) {
      expect(command).toContain(`"${origin}/`)
      expect(command).toContain('$PITH_TOKEN')
    }
    expect(tokenCommand('alice')).toBeUndefined()
  })
})
