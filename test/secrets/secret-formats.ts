const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const HEX = '0123456789abcdef'
const DIGITS = '0123456789'
const CAPITALS_TO_7 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'
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
  ['slack', () => `xoxb-${text(12, DIGITS)}-${text(12, DIGITS)}-${text(24)}`],
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
  ['notion', () => `ntn_${text(11, DIGITS)}${text(35)}`],
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
  ['own', () => `AKIA${text(16, CAPITALS_TO_7)}`],
  ['own', () => `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${text(86)}==`],
  ['own', () => `dop_v1_${text(64, HEX)}`],
  ['own', () => `nfp_${text(36)}`],
  ['own', () => `sbp_${text(40, HEX)}`],
  ['own', () => `pul-${text(40, HEX)}`],
  ['own', () => `glrt-${text(20)}`],
  ['own', () => `pypi-AgEIcHlwaS5vcmc${text(70)}`],
  ['own', () => `rubygems_${text(48, HEX)}`],
  ['own', () => `cio${text(32)}`],
  ['own', () => `oy2${text(43, LETTERS_AND_DIGITS)}`],
  ['own', () => `https://discord.com/api/webhooks/${text(18, DIGITS)}/${text(68)}`],
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
  ['own', () => `DB_PASSWORD=${text(7)}!${text(7, DIGITS)}x`],
  ['own', () => `{"client_secret": "${text(10)}-${text(10)}9aB"}`],
  ['own', () => `redis://:${text(18)}Z9x@cache.acme.io:6379/0`],
  ['own', () => pem('EC PRIVATE KEY', 'MHcCAQEE').split('\n').slice(0, 6).join('\n')],
  ['npm', () => `https://${text(40, HEX)}:x-oauth-basic@github.com/acme/app.git`],
  ...each('slack', ['xoxp', 'xoxa', 'xoxo', 'xoxr', 'xapp-1'], (begin) => `${begin}-${text(12, DIGITS)}-${text(24)}`),
  ...each('shopify', ['shppa_', 'shpca_', 'shpss_'], (begin) => begin + text(32, HEX)),
  ...each('stripe', ['sk_test_', 'rk_live_', 'rk_test_'], (begin) => begin + text(24)),
  ...each('github', ['gho_', 'ghu_', 'ghs_', 'ghr_'], (begin) => begin + text(36)),
  ['grafana', () => `glc_eyJ${text(90)}`],
  ['hashicorp-vault', () => `hvb.${text(140)}`],
  ['hashicorp-vault', () => `hvr.${text(95)}`],
  ...each('vercel', ['vci_', 'vca_', 'vcr_', 'vck_'], (begin) => begin + text(40)),
  ...each('cloudflare', ['cfk_', 'cfat_'], (begin) => `${begin}${text(40)}${text(8, HEX)}`),
  ['own', () => `ya29.${text(120)}`],
  ['own', () => `ASIA${text(16, CAPITALS_TO_7)}`],
  ['own', () => `ABSK${text(120)}`],
  ['own', () => `LTAI${text(20)}`],
  ...each('own', ['doo_v1_', 'dor_v1_'], (begin) => begin + text(64, HEX)),
  ['own', () => `HRKU-AA${text(58)}`],
  ['own', () => `fo1_${text(43)}`],
  ['own', () => `fm2_${text(140)}==`],
  ['own', () => `sb_secret_${text(31)}`],
  ...each('own', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], (begin) => begin + text(43)),
  ...each('own', ['ptt', 'dt', 'ft', 'soat', 'cbt', 'agent', 'oas', 'imt'], (begin) => `gl${begin}-${text(20)}`),
  ['own', () => `ATATT3${text(186)}`],
  ['own', () => `ATBB${text(32)}`],
  ['own', () => `CLOJARS_${text(60, LETTERS_AND_DIGITS)}`],
  ['own', () => `AKCp${text(69)}`],
  ...each('own', ['xoxe-1-', 'xoxe.xoxp-1-'], (begin) => begin + text(150)),
  ['own', () => `xoxd-${text(120)}`],
  ['own', () => `xoxd-${text(3)}%2F${text(60)}%2B${text(60)}%3D`],
  ...each('own', [...'ABCDEFGH'], (letter) => `${text(10, '123456789')}:AA${letter}${text(32)}`),
  ...each('own', [...HEX], (digit) => `SK${digit}${text(31, HEX)}`),
  ...each('own', ['sq0atp-', 'sq0csp-'], (begin) => begin + text(43)),
  ...each('own', ['EAAM', 'EAAC'], (begin) => begin + text(150)),
  ['own', () => `sntrys_eyJ${text(120)}`],
  ['own', () => `NRAK-${text(27, CAPITALS_TO_7)}`],
  ['own', () => `dt0c01.${text(24, CAPITALS_TO_7)}.${text(64, CAPITALS_TO_7)}`],
  ...each('own', ['pt', 'st', 'ct', 'sa', 'scim', 'audit'], (begin) => `dp.${begin}.${text(43)}`),
  ['own', () => `CFPAT-${text(43)}`],
  ...each('own', ['EZAK', 'EZTK'], (begin) => begin + text(54)),
  ...each('own', ['lin_oauth_', 'lin_wh_'], (begin) => begin + text(40)),
  ['own', () => `sha256~${text(43)}`],
  ...each('own', ['ABIA', 'ACCA'], (begin) => begin + text(16, CAPITALS_TO_7)),
  ['own', () => `HRKU-${uuid()}`],
  ...each('own', ['fm1a_', 'fm1r_'], (begin) => `${begin}${text(140)}==`),
  ...each('own', ['hvs.', 'hvb.', 'hvr.'], (begin) => begin + text(24)),
  ['own', () => `v1.0-${text(24, HEX)}-${text(146, HEX)}`],
  ...each('own', ['glffct-', 'GR1348941'], (begin) => begin + text(20)),
  ['own', () => `cmVmd${text(59)}`],
  ['own', () => `api_org_${text(34, PLAIN.slice(0, 52))}`],
  ...each('own', discordUsers(), (begin) => `${begin}${text(23)}.${text(6)}.${text(38)}`),
  ['own', () => `mfa.${text(84)}`],
  ['own', () => `pubkey-${text(32, HEX)}`],
  ['own', () => `EAAA${text(60)}`],
  ...each('own', ['sk_prod_', 'rk_prod_'], (begin) => begin + text(24)),
  ['own', () => `https://${text(32, HEX)}@o${text(6, DIGITS)}.ingest.sentry.io/${text(7, '123456789')}`],
  ['own', () => `https://${text(32, HEX)}:${text(32, HEX)}@sentry.acme.io/2`],
  ['own', () => `NRII-${text(32)}`],
  ['own', () => `NRJS-${text(19, HEX)}`],
  ...each('own', ['sk.eyJ', 'tk.eyJ'], (begin) => `${begin}${text(60)}.${text(22)}`),
  ...each('own', ['pat.', 'sat.'], (begin) => `${begin}${text(22)}.${text(24, HEX)}.${text(20)}`),
  ['own', () => `A3-${capitals(6)}-${capitals(6)}-${capitals(5)}-${capitals(5)}-${capitals(5)}-${capitals(5)}`],
  ['own', () => `p8e-${text(32)}`],
  ['own', () => `dnkey-${text(26)}-${text(52)}`],
  ['own', () => `duffel_live_${text(43)}`],
  ['own', () => `FLWSECK_TEST-${text(32, LETTERS_AND_DIGITS)}-X`],
  ['own', () => `fio-u-${text(64)}`],
  ['own', () => `eyJrIjoi${text(90)}`],
  ['own', () => `ico-${text(32)}`],
  ['own', () => `s-s4t2ud-${text(64, HEX)}`],
  ['own', () => `API-${capitals(26)}`],
  ...each('own', ['sandbox', 'development', 'production'], (place) => `access-${place}-${uuid()}`),
  ['own', () => `pnu_${text(36)}`],
  ['own', () => `rdme_${text(70, LETTERS_AND_DIGITS)}`],
  ['own', () => `tk-us-${text(48)}`],
  ...each('own', ['sm_aat_', 'sm_pat_', 'sm_sat_'], (begin) => begin + text(16)),
  ['own', () => `shippo_live_${text(40, HEX)}`],
  ['own', () => `tfp_${text(59)}`],
  ['own', () => `AQVN${text(36)}`],
  ['own', () => `client-key-data: ${encoded(pem('RSA PRIVATE KEY', 'MI'))}`],
  ['own', () => `.dockerconfigjson: ${encoded(`{"auths":{"acme.io":{"auth":"${encoded(`ci:${text(20)}`)}"}}}`)}`],
  ['own', () => `{"auths": {"acme.io": {"auth": "${encoded(`ci:${text(20)}`)}"}}}`],
  ['own', () => `${text(3)}8Q~${text(33)}`],
  ['own', () => `https://acme.blob.core.windows.net/a?sv=2024-11-04&sp=r&sig=${text(20)}%2F${text(21)}%3D`],
  ...each('own', ['$apr1$', '$1$'], (begin) => `app:${begin}${text(8)}$${text(22)}`),
  ...each('own', ['$2a$', '$2b$', '$2y$'], (begin) => `app:${begin}05$${text(53)}`),
  ['own', () => `app:$5$${text(16)}$${text(43)}:20000:0`],
  ['own', () => `app:$6$rounds=5000$${text(16)}$${text(86)}`],
  ['own', () => `app:$y$j9T$${text(22)}$${text(43)}`],
  ['own', () => `$argon2id$v=19$m=65536,t=3,p=4$${text(22)}$${text(43)}`],
  ...each('own', ['{SHA}', '{SSHA}'], (begin) => `app:${begin}${text(27)}=`),
  ...each('own', [':5432:', ':*:'], (port) => `db.acme.io${port}app:app:${text(16)}`),
  ['own', () => `machine acme.io login app password ${text(16)}`],
  ['own', () => `ALTER ROLE app PASSWORD '${text(16)}'`],
  ...each('own', ['IDENTIFIED'], (words) => `USER app ${words} BY '${text(16)}'`),
  ...each('own', ['password', 'PASSWORD'], (name) => `the ${name} ${text(8)}1a${text(8)}`),
]

function uuid(): string {
  return [8, 4, 4, 4, 12].map((length) => text(length, HEX)).join('-')
}

function capitals(length: number): string {
  return text(length, CAPITALS_TO_7)
}

function encoded(plain: string): string {
  return Buffer.from(plain).toString('base64')
}

/** The beginnings of the numbers of Discord's users in base64. */
function discordUsers(): string[] {
  const numbers = Array.from({ length: 90 }, (_, i) => encoded(`${i + 10}0`).slice(0, 3))
  return [...new Set(numbers)]
}

/** A format for each of these beginnings. */
function each(rule: string, begins: readonly string[], make: (begin: string) => string) {
  return begins.map((begin) => [rule, () => make(begin)] as const)
}

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
  return encoded(JSON.stringify(token))
}
