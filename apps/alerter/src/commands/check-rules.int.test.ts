import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { placesBeside } from '../rule-files/rules-folder.ts'
import { checkRules } from './check-rules.ts'

const places = placesBeside(fileURLToPath(new URL('../../../../rules/alerts', import.meta.url)))

const sigma = (title: string, logSource: string): string =>
  `title: ${title}\nlogsource: {${logSource}}\ndetection:\n  s: {EventID: 1}\n  condition: s\n`

test('a rule whose log source the stack does not keep is told apart from one that is broken', async () => {
  const files = [
    { name: 'here.yml', text: sigma('Here', 'product: windows, service: security') },
    { name: 'cloud.yml', text: sigma('Cloud', 'product: aws, service: cloudtrail') },
    {
      name: 'both.yml',
      text: [sigma('A', 'product: windows, service: security'), sigma('B', 'product: okta')].join('---\n'),
    },
    { name: 'nowhere.yml', text: sigma('Nowhere', 'definition: none') },
    { name: 'broken.yml', text: sigma('Broken', 'product: aws').replace('condition: s', 'condition: s and') },
  ]
  const checked = await checkRules(JSON.stringify({ files }), places)
  expect(
    checked.map(({ name, rules, problems, unknownSources }) => [name, rules, problems.length, unknownSources]),
  ).toEqual([
    ['here.yml', 1, 0, []],
    ['cloud.yml', 0, 0, ['product aws, service cloudtrail']],
    ['both.yml', 1, 0, ['product okta']],
    ['nowhere.yml', 0, 1, []],
    ['broken.yml', 0, 1, []],
  ])
})
