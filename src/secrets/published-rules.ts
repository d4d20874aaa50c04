import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { z } from 'zod'
import type { SecretRange } from './secret-range.ts'

/** The secrets that the published rules find in a text. */
export function publishedSecrets(text: string): SecretRange[] {
  return SCANNERS.flatMap(({ begins, scan }) => (begins.some((begin) => text.includes(begin)) ? scan(text) : []))
}

/** The beginnings of the words that each rule looks for. If a new version adds a rule, a test fails until it has a row here. */
export const PUBLISHED_BEGINS: Readonly<Record<string, readonly string[]>> = {
  aws: ['ccess', 'CCESS'],
  privatekey: ['-----BEGIN'],
  npm: ['npm_', '_authToken', 'x-oauth-basic'],
  basicauth: ['://'],
  'database-connection-string': ['://'],
  slack: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxo-', 'xoxr-', 'xapp-', 'hooks.slack.com'],
  sendgrid: ['SG.'],
  shopify: ['shppa_', 'shpca_', 'shpat_', 'shpss_'],
  stripe: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
  github: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
  gitlab: ['glpat-'],
  grafana: ['glc_', 'glsa_'],
  openai: ['sk-'],
  anthropic: ['sk-ant-'],
  groq: ['gsk_'],
  huggingface: ['hf_'],
  linear: ['lin_api_'],
  notion: ['ntn_'],
  '1password': ['ops_ey'],
  'hashicorp-vault': ['hvs.', 'hvb.', 'hvr.'],
  vercel: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
  databricks: ['dapi'],
  docker: ['dckr_pat_'],
  figma: ['figd_'],
  cloudflare: ['cfk_', 'cfut_', 'cfat_'],
  tailscale: ['tskey-'],
}

/** Rules that we do not run: they look for comments that switch rules off, and for files that are not text. */
const NOT_FOR_TEXT = /filter-comments$|-gcp$/

const KINDS: Readonly<Record<string, string>> = {
  aws: 'AWS key',
  npm: 'npm token',
  privatekey: 'private key',
  basicauth: 'password in a URL',
  'database-connection-string': 'password in a URL',
  github: 'GitHub token',
  gitlab: 'GitLab token',
  openai: 'OpenAI key',
  anthropic: 'Anthropic key',
  huggingface: 'Hugging Face token',
  '1password': '1Password token',
  'hashicorp-vault': 'Vault token',
}

const descriptorSchema = z.object({
  message: z.record(z.string(), z.unknown()),
  range: z.tuple([z.number(), z.number()]),
})

type Scanner = { readonly begins: readonly string[]; readonly scan: (text: string) => SecretRange[] }

const SCANNERS: readonly Scanner[] = rules.filter(({ meta }) => !NOT_FOR_TEXT.test(meta.id)).map(scannerOf)

function scannerOf(rule: (typeof rules)[number]): Scanner {
  const name = rule.meta.id.replace(/^.*secretlint-rule-/, '')
  const kind = KINDS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)} key`
  let reports: unknown[] = []
  const context = {
    createTranslator: () => (_: string, properties: Record<string, unknown>) => properties,
    report: (descriptor: unknown) => reports.push(descriptor),
  }
  // The rules are written for secretlint itself. They use only these two functions of its context.
  const made = rule.create(context as unknown as Parameters<typeof rule.create>[0], {})
  const scan = (text: string) => {
    reports = []
    // The name must not be that of a package file, because the rules look for fewer secrets in those.
    made.file?.({ content: text, contentType: 'text', filePath: 'text.npmrc', ext: '.npmrc' } as Parameters<
      NonNullable<typeof made.file>
    >[0])
    return reports.flatMap((descriptor) => rangeOf(text, descriptor, kind))
  }
  return { begins: PUBLISHED_BEGINS[name] ?? [''], scan }
}

/** The range of the secret itself. Some rules report the range of its name or of its whole URL. */
function rangeOf(text: string, descriptor: unknown, kind: string): SecretRange[] {
  const parsed = descriptorSchema.safeParse(descriptor)
  if (!parsed.success) return []
  const { message, range } = parsed.data
  const [start, end] = range
  const reported = Object.values(message).find((value) => typeof value === 'string' && value.length > 7)
  // One rule reports the rest of the line, too. Only private keys contain white space.
  const value = kind === 'private key' ? String(reported ?? '') : (/^\S+/.exec(String(reported ?? ''))?.[0] ?? '')
  const at = value === '' ? -1 : text.indexOf(value, start)
  const [from, to] = at === -1 ? [start, end] : [at, at + value.length]
  const [, before = '', user = '', password] = IN_URL.exec(text.slice(from, to)) ?? []
  if (password === undefined) return [{ from, to, kind }]
  if (password === NO_PASSWORD) return [{ from: from + before.length, to: from + before.length + user.length, kind }]
  const within = from + before.length + user.length + 1
  return [{ from: within, to: within + password.length, kind }]
}

const IN_URL = /^([a-z][a-z0-9+.:-]*:\/\/)([^:@/\s]*):([^@\s]+)@/i
/** GitHub takes a token as the name of the user, and this as its password. */
const NO_PASSWORD = 'x-oauth-basic'
