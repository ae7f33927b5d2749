import { STORY } from '../story.ts'

export const SHOWN_ATTRIBUTES = { title: { value: 'Moonflower' }, colour: { value: 'white' } }

/** As `RECORDS`, of what wallets own and what their holders send. */
export const WALLET_RECORDS: Record<string, unknown> = {
  WalletItem: { attributes: SHOWN_ATTRIBUTES, description: 'Opens at nine.', organization_id: STORY.organization },
  WalletItemInFull: { attributes: SHOWN_ATTRIBUTES, description: 'Opens at nine.' },
  WalletChallenge: {
    message: 'gifts.example.com wants you to sign in with your Ethereum account:\n…',
    challenge: '1795176600000.0.5b2c5b2c5b2c5b2c5b2c5b2c.QmVmb3JlIG5pbmU',
  },
  WalletCopy: { sealed: 'QmVm'.repeat(20) },
  WalletCopies: { results: [{ copy_id: 'QmVm'.repeat(11).slice(1), created_at: '2026-11-20T12:00:00.000Z' }] },
  WalletProof: { proof: '1795180200000.0.QmVmb3JlIG5pbmU' },
  Perk: {
    id: STORY.perk,
    kind: 'CODES',
    title: 'A seat at the opening',
    is_public: true,
    codes: { total: 500, given: 12, left: 488 },
  },
  AddedCodes: { added: 2 },
  GivenCode: { id: STORY.event, code: 'MOON-1', unit: 1 },
  PublicPerk: { id: STORY.perk, kind: 'CODES', title: 'A seat at the opening', codes_left: 488, codes_given: 0 },
  HeldPerk: {
    id: STORY.perk,
    kind: 'CODES',
    title: 'A seat at the opening',
    codes: [{ code: 'MOON-1', given_at: '2026-11-20T12:30:00.000Z' }],
    codes_open: 0,
    codes_left: 487,
  },
  'download-perk-file': 'The bytes of the file.',
  SignedTransfer: {
    id: STORY.transfer,
    from_address: STORY.ada,
    to_address: STORY.grace,
    nonce: '81985529216486895',
    deadline: 1795176000,
    state: 'COMPLETED',
    failure: null,
    escrow: null,
  },
  TransferTerms: {
    token_type: 'ERC721',
    transferable: true,
    signed: true,
    gas_payer: 'ORGANIZATION',
    reason: null,
    reason_code: null,
    receiver: { is_contract: false, is_organizations_own: false },
    escrow: { to_address: STORY.grace, days: 30 },
    transfer_id: null,
    typed_data: {
      domain: { name: 'Vitrine', version: '1', chainId: STORY.network, verifyingContract: STORY.contract },
      types: {
        TransferWithSignature: [
          { name: 'tokenId', type: 'uint256' },
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'TransferWithSignature',
      message: {
        tokenId: '7',
        from: STORY.ada,
        to: STORY.grace,
        nonce: '81985529216486895',
        deadline: 1795176000,
      },
    },
  },
  TransferBudget: {
    network_name: 'Local',
    daily_wei: '50000000000000000',
    is_usual: true,
    spent_wei: '243612000000000',
    transfers: 2,
  },
}
