import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

/** From the bottom up: a folder may use those before it, and itself. */
const FOLDERS = ['base', 'wire', 'draw', 'state', 'parts', 'views', 'app'];
/** Folders that anybody may use, and that use nothing. */
const OPEN = ['text'];

const upward = (folder) => {
  const allowed = [...FOLDERS.slice(0, FOLDERS.indexOf(folder) + 1), ...OPEN];
  const refused = FOLDERS.filter((other) => !allowed.includes(other));
  return refused.map((other) => ({
    regex: `(^|/)\\.\\./(.*/)?${other}/`,
    message: `${folder}/ does not know ${other}/: see the import directions in eslint.config.js`,
  }));
};

const TAURI = {
  regex: '^@tauri-apps/',
  message: 'only wire/tauri.ts talks to Tauri',
};

const direction = (folder) => ({
  files: [`src/${folder}/**/*.{ts,svelte}`],
  rules: { 'no-restricted-imports': ['error', { patterns: [...upward(folder), TAURI] }] },
});

/** A view never knows another view. */
const apart = (view) => ({
  files: [`src/views/${view}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          ...upward('views'),
          TAURI,
          { regex: '^\\.\\./[a-z]+/', message: 'a view does not know another view' },
        ],
      },
    ],
  },
});

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/wire/bindings.ts', 'tests/**/__screenshots__'] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...ts.configs.stylisticTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'max-lines': ['error', { max: 420, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      'max-lines-per-function': 'off',
      // Types of components are svelte-check's business: here they are `any`.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    // Bytes and JSON become types here, and nowhere else.
    files: ['src/wire/**/*.ts', 'src/text/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-assertions': 'off' },
  },
  {
    // The generated shapes are `type`s; what is written until then matches them.
    files: ['src/wire/types.ts'],
    rules: { '@typescript-eslint/consistent-type-definitions': 'off' },
  },
  ...FOLDERS.map(direction),
  ...['decompose', 'lifecycle', 'pool', 'pools', 'trend', 'table', 'map'].map(apart),
  { files: ['src/wire/tauri.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: ['tests/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/consistent-type-assertions': 'off',
    },
  },
  { files: ['*.js', '*.config.ts'], ...ts.configs.disableTypeChecked },
);
