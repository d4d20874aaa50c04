import type { ValuePlace } from './secret-value.ts'

/** A format of secrets: its pattern, and the name of the kind. If a pattern has to match more than the secret, its first group is the secret. */
export type SecretRule = {
  readonly kind: string
  readonly pattern: RegExp
  /** The beginnings of a word that is such a secret, or that comes before one; in `MARKED_RULES` any part of it. */
  readonly begins: readonly string[]
  /** The place of a password that has no form of its own: it must also look like a real one there. */
  readonly place?: ValuePlace | undefined
}

const hexDigits = [...'0123456789abcdef']
const TWILIO = hexDigits.map((digit) => `SK${digit}`)
const TELEGRAM = [...'ABCDEFGH'].map((letter) => `AA${letter}`)

/** A token of Discord begins with the number of its user in base64: these are the first two digits of it. */
const DISCORD = ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'].flatMap((first) =>
  [...'AEIMQUYcgk'].map((second) => first + second),
)

/** `-----BEGIN` in base64. */
export const BEGIN_IN_BASE64 = 'LS0tLS1CRUdJTi'

/**
 * Formats that vendors document and the published rules do not have, found by the beginning of a word. The patterns require the
 * full length, so that a prefix in prose does not match. gitleaks has most of them, too.
 */
export const OWN_RULES: readonly SecretRule[] = [
  rule('Google API key', ['AIza'], /AIza[\w-]{35}/),
  rule('Google OAuth secret', ['GOCSPX-'], /GOCSPX-[\w-]{28}/),
  rule('Google OAuth token', ['ya29.'], /ya29\.[\w-]{40,400}/),
  rule('Anthropic key', ['sk-ant-'], /sk-ant-(?:admin|oat|ort|sid)\d\d-[\w-]{60,140}/),
  rule('OpenRouter key', ['sk-or-'], /sk-or-v1-[0-9a-f]{64}/),
  rule(
    'API key',
    ['sk-'],
    /sk-(?:proj-|svcacct-)?[\w-]{0,60}(?=[\w-]{40})(?=[\w-]*\d)(?=[\w-]*[A-Z])[A-Za-z0-9][\w-]{39,160}/,
  ),
  rule('API key', ['sk-'], /sk-[0-9a-f]{32}/),
  rule('xAI key', ['xai-'], /xai-[A-Za-z0-9]{70,90}/),
  rule('Perplexity key', ['pplx-'], /pplx-[A-Za-z0-9]{40,56}/),
  rule('Replicate token', ['r8_'], /r8_[A-Za-z0-9]{37,40}/),
  rule('AWS access key', ['AKIA'], /AKIA(?![A-Z2-7]*EXAMPLE)[A-Z2-7]{16}/),
  rule('AWS access key', ['ASIA'], /ASIA(?![A-Z2-7]*EXAMPLE)[A-Z2-7]{16}/),
  rule('AWS access key', ['ABIA', 'ACCA'], /A(?:BIA|CCA)[A-Z2-7]{16}/),
  rule('AWS Bedrock key', ['ABSK'], /ABSK[A-Za-z0-9+/]{109,269}={0,2}/),
  rule('Alibaba key', ['LTAI'], /LTAI[A-Za-z0-9]{17,21}/),
  rule('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], /do[opr]_v1_[0-9a-f]{64}/),
  rule('Heroku key', ['HRKU-'], /HRKU-(?:AA[\w-]{58}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/),
  rule('Fly.io token', ['fo1_'], /fo1_[\w-]{43}/),
  rule('Fly.io token', ['fm1a_', 'fm1r_', 'fm2_'], /fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,}={0,3}/),
  rule('Vault token', ['hvs.', 'hvb.', 'hvr.'], /hv[bsr]\.[\w-]{24,300}/),
  rule('Cloudflare key', ['v1.0-'], /v1\.0-[0-9a-f]{24}-[0-9a-f]{146}/),
  rule('Netlify token', ['nfp_'], /nfp_[A-Za-z0-9]{36}/),
  rule('Supabase token', ['sbp_'], /sbp_[0-9a-f]{40}/),
  rule('Supabase key', ['sb_secret_'], /sb_secret_[\w-]{31}/),
  rule('PlanetScale secret', ['pscale_'], /pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}/),
  rule('Pulumi token', ['pul-'], /pul-[0-9a-f]{40}/),
  rule(
    'GitLab token',
    ['glptt-', 'gldt-', 'glft-', 'glffct-', 'glsoat-', 'glrt-', 'glcbt-', 'glagent-', 'gloas-', 'glimt-', 'GR1348941'],
    /(?:gl(?:ptt|dt|ft|ffct|soat|rt|cbt|agent|oas|imt)-|GR1348941)[\w-]{20,64}/,
  ),
  rule('Atlassian token', ['ATATT3'], /ATATT3[\w=-]{180,192}/),
  rule('Bitbucket password', ['ATBB'], /ATBB[A-Za-z0-9]{32}/),
  rule('PyPI token', ['pypi-AgEI'], /pypi-AgEI[\w-]{50,1000}/),
  rule('RubyGems key', ['rubygems_'], /rubygems_[0-9a-f]{48}/),
  rule('crates.io token', ['cio'], /cio[A-Za-z0-9]{32}/),
  rule('NuGet key', ['oy2'], /oy2[a-z0-9]{43}/),
  rule('Clojars token', ['CLOJARS_'], /CLOJARS_[a-z0-9]{60}/),
  rule('Artifactory token', ['AKCp', 'cmVmd'], /AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59}/),
  rule('Hugging Face token', ['api_org_'], /api_org_[A-Za-z]{34}/),
  rule('Slack token', ['xoxe'], /xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9]{140,170}/),
  rule('Discord webhook', ['://'], /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/([\w-]{60,70})/),
  rule('Discord token', DISCORD, /[MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,40}/),
  rule('Discord token', ['mfa.'], /mfa\.[\w-]{84}/),
  rule('Telegram token', TELEGRAM, /(?<=\d{8,10}:)AA[\w-]{33}/),
  rule('Twilio key', TWILIO, /SK[0-9a-f]{32}/),
  rule('Mailgun key', ['key-', 'pubkey-'], /(?:pub)?key-[0-9a-f]{32}/),
  rule('Brevo key', ['xkeysib-'], /xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/),
  rule('Square token', ['sq0atp-', 'sq0csp-', 'EAAA'], /sq0(?:atp|csp)-[\w-]{22,43}|EAAA[\w-]{60}/),
  rule('Stripe key', ['sk_prod_', 'rk_prod_'], /[sr]k_prod_[A-Za-z0-9]{10,99}/),
  rule('Stripe webhook secret', ['whsec_'], /whsec_[A-Za-z0-9]{32,64}/),
  rule('Facebook token', ['EAAM', 'EAAC'], /EAA[MC][A-Za-z0-9]{100,}/),
  rule('Sentry token', ['sntrys_', 'sntryu_'], /sntry(?:s_eyJ[\w=+/]{60,}|u_[0-9a-f]{64})/),
  rule('Sentry DSN', ['://'], /https?:\/\/([0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]+(?::\d+)?\/\d+/),
  rule('New Relic key', ['NRAK-'], /NRAK-[A-Z0-9]{27}/),
  rule('New Relic key', ['NRII-', 'NRJS-'], /NR(?:II-[\w-]{32}|JS-[0-9a-f]{19})/),
  rule('Postman key', ['PMAK-'], /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/),
  rule('Dynatrace token', ['dt0c01.'], /dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}/),
  rule(
    'Doppler token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}/,
  ),
  rule('Mapbox token', ['sk.eyJ', 'tk.eyJ'], /[st]k\.eyJ[\w-]{40,200}\.[\w-]{20,60}/),
  rule('Harness token', ['pat.', 'sat.'], /[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}/),
  rule('1Password key', ['A3-'], /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/),
  rule('Adobe secret', ['p8e-'], /p8e-[A-Za-z0-9]{32}/),
  rule('Defined Networking token', ['dnkey-'], /dnkey-[\w=-]{26}-[\w=-]{52}/),
  rule('Duffel token', ['duffel_'], /duffel_(?:test|live)_[\w=-]{43}/),
  rule('Flutterwave key', ['FLWSECK'], /FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?/),
  rule('Frame.io token', ['fio-u-'], /fio-u-[\w=-]{64}/),
  rule('Grafana key', ['eyJrIjoi'], /eyJrIjoi[A-Za-z0-9]{70,400}={0,3}/),
  rule('Infracost key', ['ico-'], /ico-[A-Za-z0-9]{32}/),
  rule('42 secret', ['s-s4t2'], /s-s4t2(?:ud|af)-[0-9a-f]{64}/),
  rule('Octopus key', ['API-'], /API-[A-Z0-9]{26}/),
  rule(
    'Plaid token',
    ['access-sandbox-', 'access-development-', 'access-production-'],
    /access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
  ),
  rule('Prefect key', ['pnu_'], /pnu_[A-Za-z0-9]{36}/),
  rule('ReadMe key', ['rdme_'], /rdme_[a-z0-9]{70}/),
  rule('Scalingo token', ['tk-us-'], /tk-us-[\w-]{48}/),
  rule('SettleMint token', ['sm_aat_', 'sm_pat_', 'sm_sat_'], /sm_[aps]at_[A-Za-z0-9]{16}/),
  rule('Shippo token', ['shippo_'], /shippo_(?:live|test)_[A-Fa-f0-9]{40}/),
  rule('Typeform token', ['tfp_'], /tfp_[\w.=-]{59}/),
  rule('Yandex key', ['AQVN'], /AQVN[\w-]{35,38}/),
  rule('Airtable token', ['pat'], /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/),
  rule('Contentful token', ['CFPAT-'], /CFPAT-[\w-]{43}/),
  rule('EasyPost key', ['EZAK', 'EZTK'], /EZ[AT]K[A-Za-z0-9]{54}/),
  rule('Linear secret', ['lin_oauth_', 'lin_wh_'], /lin_(?:oauth|wh)_[A-Za-z0-9]{32,64}/),
  rule('Sourcegraph token', ['sgp_'], /sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}/),
  rule('age key', ['AGE-SECRET-KEY-'], /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/),
  rule('JSON Web Token', ['eyJ'], /eyJ[\w-]{14,}\.eyJ[\w-]{14,}\.[\w-]{20,}/),
  rule(
    'private key',
    ['-----BEGIN'],
    // The end is optional, because the output of a command may be cut off.
    /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\[nr])+[A-Za-z0-9+/=:,.-]{16,120}){2,400}(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{1,120})?(?:(?:\s|\\[nr])*-----END (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----)?/,
  ),
  // The same in base64, as Kubernetes has it: after `-----BEGIN`, neither ` CERTIFICATE` nor ` PUBLIC`.
  rule(
    'private key',
    [BEGIN_IN_BASE64],
    /LS0tLS1CRUdJTi(?!BDRVJUSUZJ|BQVUJMSUMg)[A-Za-z0-9+/]{60,}(?:(?:\s|\\[nr])+[A-Za-z0-9+/]{60,})*={0,2}/,
  ),
  rule('Docker login', ['eyJhdXRocyI6'], /eyJhdXRocyI6[A-Za-z0-9+/]{40,4000}={0,2}/),
  rule(
    'password in a URL',
    ['://'],
    /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/'"<>]{0,80}:([^\s/'"<>]{4,200})(?=@[\w.[])/,
    'data',
  ),
]

/** Formats that do not begin a word: a sign divides them, or only the words around them show what they are. They are found by a mark in them. */
export const MARKED_RULES: readonly SecretRule[] = [
  rule('Slack cookie', ['xoxd-'], /xoxd-[\w%/+=-]{100,200}/),
  rule('OpenShift token', ['sha256~'], /sha256~[\w-]{43}/),
  rule('Azure secret', ['Q~'], /[\w~.]{3}\dQ~[\w~.-]{31,34}/),
  rule('Azure signature', ['sig='], /(?<=[?&;]|\\u0026)sig=([\w%+/-]{40,100}={0,2})/),
  rule('password hash', ['$apr1$', '$1$'], /\$(?:apr)?1\$\$?[\w./]{1,8}\$\$?[\w./]{22}/),
  rule('password hash', ['$2a$', '$2b$', '$2y$'], /\$2[aby]\$\$?\d\d\$\$?[\w./]{53}/),
  rule('password hash', ['$5$', '$6$'], /\$[56]\$(?:rounds=\d+\$)?[\w./-]{1,16}\$[\w./]{43,86}/),
  rule('password hash', ['$y$'], /\$y\$[\w./]{1,20}\$[\w./]{1,86}\$[\w./]{43}/),
  rule('password hash', ['$argon2'], /\$argon2(?:id|[id])\$v=\d+\$[\w=,]{5,40}\$[\w+/]{8,64}\$[\w+/]{16,128}/),
  rule('password hash', [':{SHA}', ':{SSHA}'], /(?<=:)\{S?SHA\}[A-Za-z0-9+/]{27,60}={0,2}/),
  // A line of .pgpass
  rule('password', [':5432:', ':*:'], /[\w.*-]{1,80}:(?:5432|\*)(?::[\w.*-]{1,63}){2}:([^\s:"'\\]{4,200})/, 'shell'),
  // A line of .netrc, or three
  rule(
    'password',
    ['password '],
    /(?<=login(?:\s|\\n){1,9}\S{1,80}?(?:\s|\\n){1,9})password ([^\s"'\\]{4,200})/,
    'shell',
  ),
  // SQL
  rule(
    'password',
    ['PASSWORD ', 'password '],
    /(?:PASSWORD|(?<=\b(?:with|encrypted) )password)(?: *=)? *N?'([^'\s\\]{4,200})'/,
    'shell',
  ),
  rule('password', ['IDENTIFIED '], /IDENTIFIED (?:WITH '?\w{1,40}'? )?(?:BY|AS) '([^'\s\\]{4,200})'/, 'shell'),
  // Prose
  rule(
    'password',
    ['assword ', 'ASSWORD '],
    /password(?: is| was)? {1,4}(?:\\?["'`])?([^\s"'`\\<>(){}[\],;:=|]{8,64}?)(?=[.:?]?(?:[\s"'`\\,;)]|$))/i,
    'data',
  ),
]

function rule(kind: string, begins: readonly string[], pattern: RegExp, place?: ValuePlace): SecretRule {
  const whole = String.raw`(?<![\w-])(?:${pattern.source})(?![\w])`
  return { kind, begins, place, pattern: new RegExp(whole, `g${pattern.flags}`) }
}
