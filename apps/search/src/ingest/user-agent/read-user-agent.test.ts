import { expect, test } from 'vitest'
import { readUserAgent } from './read-user-agent.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

/** Name, version, system, device and its type. */
function summary(text: string): string {
  const { name, version, system, device, deviceType } = readUserAgent(text)
  return [name, version, system?.name, system?.version, device, deviceType].map((part) => part ?? '-').join(', ')
}

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/120.0.6099.71 Safari/537.36`,
    'Chrome, 120.0.6099.71, Windows, 10, Other, Desktop',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.61`,
    'Edge, 120.0.2210.61, Windows, 10, Other, Desktop',
  ],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
    'Firefox, 120.0, Ubuntu, -, Other, Desktop',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Safari/605.1.15',
    'Safari, 17.1, Mac OS X, 10.15.7, Mac, Desktop',
  ],
  [`${iphone} Version/17.1 Mobile/15E148 Safari/604.1`, 'Mobile Safari, 17.1, iOS, 17.1.2, iPhone, Phone'],
  [
    `${iphone} CriOS/120.0.6099.50 Mobile/15E148 Safari/604.1`,
    'Chrome Mobile iOS, 120.0.6099.50, iOS, 17.1.2, iPhone, Phone',
  ],
  [`${iphone} Mobile/15E148`, 'Mobile Safari UI/WKWebView, -, iOS, 17.1.2, iPhone, Phone'],
  [
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    'Mobile Safari, 16.6, iOS, 16.6, iPad, Tablet',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/120.0.0.0 Mobile Safari/537.36`,
    'Chrome Mobile, 120.0.0.0, Android, 10, Generic Smartphone, Phone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 13; SM-G991B) ${webkit} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet, 23.0, Android, 13, Samsung SM-G991B, Phone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 12; Pixel 6 Build/SD1A.210817.036; wv) ${webkit} Version/4.0 Chrome/94.0.4606.71 Mobile Safari/537.36`,
    'Chrome Mobile WebView, 94.0.4606.71, Android, 12, Pixel 6, Phone',
  ],
  [
    'Mozilla/5.0 (Android 14; Tablet; rv:120.0) Gecko/120.0 Firefox/120.0',
    'Firefox Mobile, 120.0, Android, 14, Generic Tablet, Tablet',
  ],
  ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'IE, 11.0, Windows, 7, Other, Desktop'],
  ['Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1)', 'IE, 8.0, Windows, XP, Other, Desktop'],
  ['Opera/9.80 (X11; Linux x86_64) Presto/2.12.388 Version/12.16', 'Opera, 12.16, Linux, -, Other, Desktop'],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/120.0.0.0 Safari/537.36`,
    'Chrome, 120.0.0.0, Chrome OS, 14541.0.0, Other, Desktop',
  ],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot, 2.1, -, -, Spider, Robot'],
  ['Mozilla/5.0 (compatible; Fancy-Bot/3.2; +https://example.org)', 'Fancy-Bot, 3.2, -, -, Spider, Robot'],
  [
    'Mozilla/5.0 (compatible; Nmap Scripting Engine; https://nmap.org/book/nse.html)',
    'Nmap Scripting Engine, -, -, -, Spider, Robot',
  ],
  ['curl/8.5.0', 'curl, 8.5.0, -, -, Other, Other'],
  ['Wget/1.21.4', 'Wget, 1.21.4, -, -, Other, Other'],
  ['python-requests/2.31.0', 'Python Requests, 2.31.0, -, -, Other, Other'],
  ['Go-http-client/1.1', 'Go-http-client, 1.1, -, -, Other, Other'],
  ['kube-probe/1.29', 'kube-probe, 1.29, -, -, Spider, Robot'],
  [
    'Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.19041.4046',
    'PowerShell, 5.1.19041.4046, Windows, 10, Other, Desktop',
  ],
  ['git/2.43.0', 'git, 2.43.0, -, -, Other, Other'],
  ['', 'Other, -, -, -, Other, Other'],
  ['something else', 'Other, -, -, -, Other, Other'],
  ['__proto__/1 constructor/2', 'Other, -, -, -, Other, Other'],
])('%s', (text, expected) => {
  expect(summary(text)).toBe(expected)
})

test('a long text is read to a bound', () => {
  const { name } = readUserAgent(`${'('.repeat(2_000)} curl/8.0`)
  expect(name).toBe('Other')
})
