const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const HEX = '0123456789abcdef'
const text = (length: number, of = PLAIN) => Array.from({ length }, () => of[next() % of.length] ?? '').join('')

/** The same numbers in every run: a secret of letters alone would come once in a dozen runs. */
let state = 20_261_116
function next(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state >>> 8
}

/**
 * A made-up secret of each documented format. They are made when they are needed, so that no secret, and nothing that another
 * scanner takes for one, is in the repository. The first column is the published rule, or `own`.
 */
export const SECRET_FORMATS: readonly (readonly [rule: string, make: () => string])[] = [
  ['aws', () => `AWS_SECRET_ACCESS_KEY=${text(40)}`],
  ['aws', () => `"SecretAccessKey": "${text(40)}"`],
  ['privatekey', () => pem('RSA PRIVATE KEY', 'MI')],
  ['privatekey', () => pem('PRIVATE KEY', 'MI')],
  ['privatekey', () => pem('OPENSSH PRIVATE KEY', 'b3BlbnNzaC1rZXktdjE')],
  ['npm', () => `npm_${text(36)}`],
  ['npm', () => `//npm.acme.io/:_authToken=${text(8, HEX)}-${text(4, HEX)}-4${text(3, HEX)}-${text(12, HEX)}`],
  ['basicauth', () => `https://deploy:${text(16)}@git.acme.io/team/app.git`],
  ['database-connection-string', () => `postgres://app:${text(14)}@db.acme.io:5432/app`],
  ['database-connection-string', () => `mongodb+srv://app:${text(14)}@cluster0.acme.mongodb.net/app`],
  ['slack', () => `xoxb-${text(12, '0123456789')}-${text(12, '0123456789')}-${text(24)}`],
  ['slack', () => `https://hooks.slack.com/services/T${text(8)}/B${text(8)}/${text(24)}`],
  ['sendgrid', () => `SG.${text(22)}.${text(43)}`],
  ['shopify', () => `shpat_${text(32, HEX)}`],
  ['stripe', () => `sk_live_${text(24)}`],
  ['github', () => `ghp_${text(36)}`],
  ['github', () => `github_pat_${text(82)}`],
  ['gitlab', () => `glpat-${text(20)}`],
  ['grafana', () => `glsa_${text(32)}_${text(8, HEX)}`],
  ['openai', () => `sk-proj-${text(74)}T3BlbkFJ${text(74)}`],
  ['anthropic', () => `sk-ant-api03-${text(93)}AA`],
  ['groq', () => `gsk_${text(52)}`],
  ['huggingface', () => `hf_${text(34, PLAIN.slice(0, 52))}`],
  ['linear', () => `lin_api_${text(40)}`],
  ['notion', () => `ntn_${text(11, '0123456789')}${text(35)}`],
  ['1password', () => `ops_${onePassword()}`],
  ['hashicorp-vault', () => `hvs.${text(95)}`],
  ['vercel', () => `vcp_${text(40)}`],
  ['databricks', () => `dapi${text(32, HEX)}`],
  ['docker', () => `dckr_pat_${text(27)}`],
  ['figma', () => `figd_${text(45)}`],
  ['cloudflare', () => `cfut_${text(40)}${text(8, HEX)}`],
  ['tailscale', () => `tskey-auth-${text(16)}-${text(32)}`],
  ['own', () => `AIza${text(35)}`],
  ['own', () => `GOCSPX-${text(28)}`],
  ['own', () => `sk-ant-oat01-${text(95)}`],
  ['own', () => `sk-or-v1-${text(64, HEX)}`],
  ['own', () => `sk-${text(48)}`],
  ['own', () => `sk-${text(32, HEX)}`],
  ['own', () => `xai-${text(80)}`],
  ['own', () => `pplx-${text(48)}`],
  ['own', () => `r8_${text(37)}`],
  ['own', () => `AKIA${text(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`],
  ['own', () => `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${text(86)}==`],
  ['own', () => `dop_v1_${text(64, HEX)}`],
  ['own', () => `nfp_${text(36)}`],
  ['own', () => `sbp_${text(40, HEX)}`],
  ['own', () => `pul-${text(40, HEX)}`],
  ['own', () => `glrt-${text(20)}`],
  ['own', () => `pypi-AgEIcHlwaS5vcmc${text(70)}`],
  ['own', () => `rubygems_${text(48, HEX)}`],
  ['own', () => `cio${text(32)}`],
  ['own', () => `oy2${text(43, 'abcdefghijklmnopqrstuvwxyz0123456789')}`],
  ['own', () => `https://discord.com/api/webhooks/${text(18, '0123456789')}/${text(68)}`],
  ['own', () => `${text(10, '123456789')}:AAE${text(32)}`],
  ['own', () => `SK${text(32, HEX)}`],
  ['own', () => `key-${text(32, HEX)}`],
  ['own', () => `xkeysib-${text(64, HEX)}-${text(16)}`],
  ['own', () => `whsec_${text(32)}`],
  ['own', () => `sntryu_${text(64, HEX)}`],
  ['own', () => `PMAK-${text(24, HEX)}-${text(34, HEX)}`],
  ['own', () => `pat${text(14)}.${text(64, HEX)}`],
  ['own', () => `sgp_${text(40, HEX)}`],
  ['own', () => `AGE-SECRET-KEY-1${text(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`],
  ['own', () => `eyJ${text(33)}.eyJ${text(60)}.${text(43)}`],
  ['own', () => `curl -H "Authorization: Bearer ${text(40)}" https://api.acme.io`],
  ['own', () => `DB_PASSWORD=${text(7)}!${text(7, '0123456789')}x`],
  ['own', () => `{"client_secret": "${text(10)}-${text(10)}9aB"}`],
  ['own', () => `redis://:${text(18)}Z9x@cache.acme.io:6379/0`],
  ['own', () => pem('EC PRIVATE KEY', 'MHcCAQEE').split('\n').slice(0, 6).join('\n')],
]

function pem(name: string, begin: string): string {
  const lines = [begin + text(64 - begin.length), ...Array.from({ length: 12 }, () => text(64)), `${text(30)}==`]
  return `-----BEGIN ${name}-----\n${lines.join('\n')}\n-----END ${name}-----`
}

/** A token of 1Password is JSON in base64. */
function onePassword(): string {
  const token = {
    signInAddress: 'acme.1password.com',
    userAuth: { method: 'SRPg-4096', alg: 'PBES2g-HS256' },
    email: text(20),
    srpX: text(64, HEX),
    muk: { alg: 'A256GCM', k: text(43), key_ops: ['encrypt'] },
    secretKey: `A3-${text(31)}`,
    throttleSecret: { seed: text(64, HEX) },
    deviceUuid: text(26),
  }
  return Buffer.from(JSON.stringify(token)).toString('base64')
}
