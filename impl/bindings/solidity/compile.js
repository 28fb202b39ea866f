// Compiles the contracts, those that the tests compare with, and those of both README.md, into
// target/solidity/contracts.json: name -> { abi, bytecode }.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import solc from 'solc';

const here = new URL('./', import.meta.url);
const read = (path) => readFileSync(new URL(path, here), 'utf8');

const sources = {};
for (const folder of ['contracts', 'comparison']) {
  for (const name of readdirSync(new URL(`${folder}/`, here))) {
    sources[`${folder}/${name}`] = { content: read(`${folder}/${name}`) };
  }
}
const example = (readme) => {
  const [, program] = /```solidity\n(.*?)```/s.exec(read(readme)) ?? [];
  if (program === undefined) throw new Error(`${readme} has no example in Solidity`);
  return program;
};
sources['README.sol'] = { content: example('README.md') };
// The repository's front page leaves the licence out, of which the compiler would warn.
sources['FrontPage.sol'] = { content: `// SPDX-License-Identifier: MIT OR Apache-2.0\n${example('../../../README.md')}` };

// The verifier as it is on a chain that has no point evaluation: the tests call it at an address where nothing is.
const elsewhere = (text) => text.replace('address(0x0a)', 'address(0xaa)');
if (elsewhere(read('contracts/Aardvark.sol')) === read('contracts/Aardvark.sol')) throw new Error('no 0x0a');
sources['elsewhere/Aardvark.sol'] = { content: elsewhere(read('contracts/Aardvark.sol')) };
sources['elsewhere/Elsewhere.sol'] = {
  content: read('contracts/AardvarkVerifier.sol').replace('contract AardvarkVerifier', 'contract Elsewhere'),
};

const settings = {
  evmVersion: 'cancun', // the first with the point evaluation
  optimizer: { enabled: true, runs: 10_000 },
  viaIR: true,
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};
const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })));
for (const { formattedMessage } of errors) console.error(formattedMessage);
if (errors.length > 0) process.exit(1); // warnings too

const compiled = {};
for (const file of Object.values(contracts)) {
  for (const [name, { abi, evm }] of Object.entries(file)) {
    compiled[name] = { abi, bytecode: evm.bytecode.object };
    const size = evm.deployedBytecode.object.length / 2;
    if (size > 100) console.log(`${name}: ${size} bytes deployed`);
  }
}
const target = new URL('../../../target/solidity/', here);
mkdirSync(target, { recursive: true });
writeFileSync(new URL('contracts.json', target), JSON.stringify(compiled, null, 1));
