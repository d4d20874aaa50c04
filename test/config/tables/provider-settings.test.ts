import { describe, expect, it } from 'vitest'
import { providerSettingsSchema } from '../../../src/config/tables/provider-settings.ts'

describe('settings of a provider', () => {
  it('may say all or nothing', () => {
    const all = { kind: 'anthropic', baseUrl: 'https://a.example/v1', apiKey: 'k', apiKeyEnv: 'K', headers: { a: 'b' } }
    expect(providerSettingsSchema.parse(all)).toEqual(all)
    expect(providerSettingsSchema.parse({})).toEqual({})
  })

  it.each([
    [{ baseUrl: 'a.example/v1' }, 'must be a URL that starts with http:// or https://'],
    [{ baseUrl: 'file:///etc/passwd' }, 'must be a URL that starts with http:// or https://'],
    [{ kind: 'grpc' }, 'Invalid option'],
    [{ apikey: 'k' }, 'Unrecognized key'],
    [{ apiKey: '' }, 'Too small'],
  ])('%j is refused', (settings, message) => {
    expect(providerSettingsSchema.safeParse(settings).error?.issues[0]?.message).toContain(message)
  })
})
