//! The random words behind [`Position::key`](super::Position::key) (Zobrist, 1970).

use super::{Bitboard, CastlingRights, Square};

/// By piece code (see `position`) and square; the codes of no piece are zero, so an empty square adds nothing.
static PIECES: [[u64; 64]; 16] = piece_words();
static EN_PASSANT: [u64; 64] = words(0xE9);
static CASTLING: [u64; 16] = castling_words();

/// The word of Black to move.
pub(super) const BLACK_TO_MOVE: u64 = words::<1>(0xB1)[0];

const fn words<const N: usize>(stream: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = splitmix64(stream << 32 | i as u64);
        i += 1;
    }
    table
}

/// Steele, Lea and Flood (2014): fixed here because keys must not change between machines.
const fn splitmix64(index: u64) -> u64 {
    let mut z = index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

const fn piece_words() -> [[u64; 64]; 16] {
    let mut table = [[0; 64]; 16];
    let mut code = 0;
    while code < 16 {
        // Codes 0 and 8 (no piece) and 7 and 15 (unused) stay zero.
        if code & 7 != 0 && code & 7 != 7 {
            table[code] = words(code as u64);
        }
        code += 1;
    }
    table
}

const fn castling_words() -> [u64; 16] {
    let single: [u64; 4] = words(0xCA);
    let mut table = [0; 16];
    let mut rights = 0;
    while rights < 16 {
        let mut bit = 0;
        while bit < 4 {
            if rights >> bit & 1 != 0 {
                table[rights] ^= single[bit];
            }
            bit += 1;
        }
        rights += 1;
    }
    table
}

/// The word of a piece, given by its code, on a square; 0 for the empty code.
#[inline]
pub(super) fn piece(code: u8, square: Square) -> u64 {
    PIECES[usize::from(code & 15)][square.index()]
}

/// The word of a set of castling rights; 0 for none.
#[inline]
pub(super) fn castling(rights: CastlingRights) -> u64 {
    CASTLING[usize::from(rights.bits())]
}

/// The word of a set of en-passant targets; 0 for none.
#[inline]
pub(super) fn en_passant(targets: Bitboard) -> u64 {
    targets.into_iter().fold(0, |key, target| key ^ EN_PASSANT[target.index()])
}
