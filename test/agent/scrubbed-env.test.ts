import { describe, expect, it } from 'vitest'
import { keyVariables, scrubbedEnv, withoutKeys } from '../../src/agent/scrubbed-env.ts'

const key = 'abcdefghijklmnopqrstuvwxyz0123456789ABCD'

describe('the environment of commands', () => {
  it('has no key of a provider, by name, by shape or as a copy', () => {
    const env = {
      PATH: '/bin',
      MY_LAB_KEY: 'named-by-the-configuration',
      COPY_OF_IT: 'named-by-the-configuration',
      ANTHROPIC_API_KEY: 'x',
      ANTHROPIC_AUTH_TOKEN: 'x',
      WORK_OPENAI_API_KEY: 'x',
      AZURE_OPENAI_API_KEY: 'x',
      GOOGLE_GENERATIVE_AI_API_KEY: 'x',
      GROQ_API_KEY_2: 'x',
      HF_TOKEN: 'x',
      ODD: `sk-ant-api03-${key}`,
      OTHER: `Bearer sk-proj-${key}`,
      GOOGLE: `AIza${key}`,
      UNSET: undefined,
    }
    expect(scrubbedEnv(env, ['my_lab_key'])).toEqual({ PATH: '/bin' })
  })

  it('keeps what commands may need', () => {
    const env = {
      HOME: '/h',
      GITHUB_TOKEN: 'ghp_x',
      STRIPE_API_KEY: 'sk_test_123',
      OPENAI_BASE_URL: 'http://localhost',
      TASK: 'disk-usage-of-the-whole-machine',
      ONE: '1',
    }
    expect(scrubbedEnv({ ...env, OPENAI_API_KEY: '1' }, [])).toEqual(env)
  })

  it.each([
    ...['ANTHROPIC', 'CEREBRAS', 'CLAUDE', 'COHERE', 'DASHSCOPE', 'DEEPINFRA', 'DEEPSEEK'],
    ...['FIREWORKS', 'GEMINI', 'GOOGLE_AI', 'GOOGLE_GENERATIVE_AI', 'GOOGLE', 'GROQ', 'HUGGINGFACE', 'MINIMAX'],
    ...['MISTRAL', 'MOONSHOT', 'NVIDIA', 'OPENAI', 'OPENROUTER', 'PERPLEXITY', 'REPLICATE', 'TOGETHER', 'XAI'],
    ...['ZAI', 'ZHIPU'],
  ])('has no key of %s', (provider) => {
    const names = [
      `${provider}_API_KEY`,
      `${provider}_TOKEN`,
      `my_${provider.toLowerCase()}_key`,
      `${provider}_APIKEY_B`,
    ]
    const other = `X${provider}_KEY`
    expect(scrubbedEnv(Object.fromEntries([...names, other].map((name) => [name, 'x'])), [])).toEqual({ [other]: 'x' })
  })

  it.each(['sk-ant-', 'sk-or-', 'sk-', 'AIza', 'gsk_', 'xai-', 'hf_', 'r8_', 'pplx-', 'nvapi-'])(
    'has no value that begins like a key with %s',
    (start) => {
      expect(scrubbedEnv({ A: `${start}${key}`, B: `x${start}${key}`, C: `${start}short` }, [])).toEqual({
        B: `x${start}${key}`,
        C: `${start}short`,
      })
    },
  )

  it('has no token that another tool uses for a provider', () => {
    const env = { CLAUDE_CODE_OAUTH_TOKEN: 'x', AWS_BEARER_TOKEN_BEDROCK: 'x', MY_HF_TOKEN: 'y' }
    expect(scrubbedEnv(env, [])).toEqual({ MY_HF_TOKEN: 'y' })
  })

  it('has a copy of a key only if it is too short to be one', () => {
    expect(scrubbedEnv({ OPENAI_API_KEY: '1234567', A: '1234567' }, [])).toEqual({ A: '1234567' })
    expect(scrubbedEnv({ OPENAI_API_KEY: '12345678', A: '12345678' }, [])).toEqual({})
  })
})

describe('the keys themselves', () => {
  it('are the variables that were left out', () => {
    const env = { PATH: '/bin', OPENAI_API_KEY: key, COPY: key, NONE: undefined }
    expect([...keyVariables(env, scrubbedEnv(env, []))]).toEqual([
      ['OPENAI_API_KEY', key],
      ['COPY', key],
    ])
  })

  it('are replaced in a text, the longest first, except for words that local servers accept as a key', () => {
    const text = withoutKeys(`a ${key}-2 b ${key} c lm-studio`, [key, `${key}-2`, 'lm-studio'])
    expect(text).toBe(
      'a [secret left out: key of a model provider] b [secret left out: key of a model provider] c lm-studio',
    )
  })
})
