/** A format of secrets: its pattern, and the name of the kind. */
export type SecretRule = {
  readonly kind: string
  readonly pattern: RegExp
  /** The beginnings of a word that is such a secret, or that comes before one. */
  readonly begins: readonly string[]
}

const hexDigits = [...'0123456789abcdef']
const TWILIO = hexDigits.map((digit) => `SK${digit}`)
const TELEGRAM = [...'ABCDEFGH'].map((letter) => `AA${letter}`)

/**
 * Formats that vendors document and the published rules do not have. The patterns require the full length, so that a prefix
 * in prose does not match. If a pattern has to match more than the secret, its first group is the secret.
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
  rule('AWS Bedrock key', ['ABSK'], /ABSK[A-Za-z0-9+/]{109,269}={0,2}/),
  rule('Alibaba key', ['LTAI'], /LTAI[A-Za-z0-9]{17,21}/),
  rule('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], /do[opr]_v1_[0-9a-f]{64}/),
  rule('Heroku key', ['HRKU-AA'], /HRKU-AA[\w-]{58}/),
  rule('Fly.io token', ['fo1_'], /fo1_[\w-]{43}/),
  rule('Fly.io token', ['fm2_'], /fm2_[A-Za-z0-9+/]{100,}={0,3}/),
  rule('Netlify token', ['nfp_'], /nfp_[A-Za-z0-9]{36}/),
  rule('Supabase token', ['sbp_'], /sbp_[0-9a-f]{40}/),
  rule('Supabase key', ['sb_secret_'], /sb_secret_[\w-]{31}/),
  rule('PlanetScale secret', ['pscale_'], /pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}/),
  rule('Pulumi token', ['pul-'], /pul-[0-9a-f]{40}/),
  rule(
    'GitLab token',
    ['glptt-', 'gldt-', 'glft-', 'glsoat-', 'glrt-', 'glcbt-', 'glagent-', 'gloas-', 'glimt-'],
    /gl(?:ptt|dt|ft|soat|rt|cbt|agent|oas|imt)-[\w-]{20,64}/,
  ),
  rule('Atlassian token', ['ATATT3'], /ATATT3[\w=-]{180,192}/),
  rule('Bitbucket password', ['ATBB'], /ATBB[A-Za-z0-9]{32}/),
  rule('PyPI token', ['pypi-AgEI'], /pypi-AgEI[\w-]{50,1000}/),
  rule('RubyGems key', ['rubygems_'], /rubygems_[0-9a-f]{48}/),
  rule('crates.io token', ['cio'], /cio[A-Za-z0-9]{32}/),
  rule('NuGet key', ['oy2'], /oy2[a-z0-9]{43}/),
  rule('Clojars token', ['CLOJARS_'], /CLOJARS_[a-z0-9]{60}/),
  rule('Artifactory token', ['AKCp'], /AKCp[A-Za-z0-9]{69}/),
  rule('Slack token', ['xoxe'], /xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9]{140,170}/),
  rule('Slack cookie', ['xoxd-'], /xoxd-[\w%/+=-]{100,200}/),
  rule('Discord webhook', ['discord'], /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/([\w-]{60,70})/),
  rule('Telegram token', TELEGRAM, /(?<=\d{8,10}:)AA[\w-]{33}/),
  rule('Twilio key', TWILIO, /SK[0-9a-f]{32}/),
  rule('Mailgun key', ['key-'], /key-[0-9a-f]{32}/),
  rule('Brevo key', ['xkeysib-'], /xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/),
  rule('Square token', ['sq0atp-', 'sq0csp-'], /sq0(?:atp|csp)-[\w-]{22,43}/),
  rule('Stripe webhook secret', ['whsec_'], /whsec_[A-Za-z0-9]{32,64}/),
  rule('Facebook token', ['EAAM', 'EAAC'], /EAA[MC][A-Za-z0-9]{100,}/),
  rule('Sentry token', ['sntrys_', 'sntryu_'], /sntry(?:s_eyJ[\w=+/]{60,}|u_[0-9a-f]{64})/),
  rule('New Relic key', ['NRAK-'], /NRAK-[A-Z0-9]{27}/),
  rule('Postman key', ['PMAK-'], /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/),
  rule('Dynatrace token', ['dt0c01.'], /dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}/),
  rule(
    'Doppler token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}/,
  ),
  rule('Airtable token', ['pat'], /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/),
  rule('Contentful token', ['CFPAT-'], /CFPAT-[\w-]{43}/),
  rule('EasyPost key', ['EZAK', 'EZTK'], /EZ[AT]K[A-Za-z0-9]{54}/),
  rule('Linear secret', ['lin_oauth_', 'lin_wh_'], /lin_(?:oauth|wh)_[A-Za-z0-9]{32,64}/),
  rule('Sourcegraph token', ['sgp_'], /sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}/),
  rule('age key', ['AGE-SECRET-KEY-'], /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/),
  rule('OpenShift token', ['sha256~'], /sha256~[\w-]{43}/),
  rule('JSON Web Token', ['eyJ'], /eyJ[\w-]{14,}\.eyJ[\w-]{14,}\.[\w-]{20,}/),
  rule(
    'private key',
    ['-----BEGIN'],
    // The end is optional, because the output of a command may be cut off.
    /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:(?:\s|\\[nr])+[A-Za-z0-9+/=:,.-]{16,120}){2,400}(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{1,120})?(?:(?:\s|\\[nr])*-----END (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----)?/,
  ),
]

function rule(kind: string, begins: readonly string[], pattern: RegExp): SecretRule {
  return { kind, begins, pattern: new RegExp(String.raw`(?<![\w-])(?:${pattern.source})(?![\w])`, 'g') }
}
