//! Positions as text.

use super::{Color, Kind, Piece, State, file_of, letters, rank_of, square};
use std::collections::BTreeSet;

const RIGHTS: [char; 4] = ['K', 'Q', 'k', 'q'];

impl State {
    /// Reads a valid DFEN; `None` for every other text.
    pub fn parse(text: &str) -> Option<State> {
        if !text.is_ascii() || text.len() > 512 {
            return None;
        }
        let fields: Vec<&str> = text.trim().split(' ').collect();
        if !(4..=7).contains(&fields.len()) || fields.contains(&"") {
            return None;
        }
        Some(State {
            board: parse_placement(fields[0])?,
            mover: match fields[1] {
                "w" => Color::White,
                "b" => Color::Black,
                _ => return None,
            },
            rights: parse_rights(fields[2])?,
            targets: parse_targets(fields[3])?,
            half_moves: fields.get(4).map_or(Some(0), |text| parse_number(text, 0, 127))?,
            full_moves: fields.get(5).map_or(Some(1), |text| parse_number(text, 1, i32::MAX as u32))?,
            pool: fields.get(6).map_or(Some(vec![]), |text| parse_dice(text))?,
        })
    }

    /// Canonical DFEN; the dice, if any, in pool order.
    pub fn to_dfen(&self) -> String {
        let mut text = self.dfen_without_dice();
        if !self.pool.is_empty() {
            let dice = letters(&self.pool);
            text.push(' ');
            text.push_str(&match self.mover {
                Color::White => dice,
                Color::Black => dice.to_ascii_lowercase(),
            });
        }
        text
    }

    /// The first six fields of the canonical DFEN.
    pub fn dfen_without_dice(&self) -> String {
        let side = match self.mover {
            Color::White => "w",
            Color::Black => "b",
        };
        let rights: String = (0..4).filter(|&i| self.rights[i]).map(|i| RIGHTS[i]).collect();
        let targets: String = self.targets.iter().map(|&target| square_name(target)).collect();
        format!(
            "{} {side} {} {} {} {}",
            placement(&self.board),
            or_dash(rights),
            or_dash(targets),
            self.half_moves,
            self.full_moves
        )
    }
}

pub(super) fn square_name(square: usize) -> String {
    format!("{}{}", (b'a' + file_of(square) as u8) as char, rank_of(square) + 1)
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_string() } else { text }
}

fn placement(board: &[Option<Piece>; 64]) -> String {
    let rank_text = |rank: usize| {
        let mut text = String::new();
        let mut gap = 0;
        for file in 0..8 {
            let Some((color, kind)) = board[square(file, rank)] else {
                gap += 1;
                continue;
            };
            if gap > 0 {
                text.push_str(&gap.to_string());
                gap = 0;
            }
            text.push(match color {
                Color::White => kind.letter(),
                Color::Black => kind.letter().to_ascii_lowercase(),
            });
        }
        if gap > 0 {
            text.push_str(&gap.to_string());
        }
        text
    };
    (0..8).rev().map(rank_text).collect::<Vec<_>>().join("/")
}

fn parse_placement(text: &str) -> Option<[Option<Piece>; 64]> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return None;
    }
    let mut board = [None; 64];
    for (from_top, rank_text) in ranks.into_iter().enumerate() {
        let mut cells: Vec<Option<Piece>> = vec![];
        for letter in rank_text.chars() {
            match letter.to_digit(10) {
                Some(gap @ 1..=8) => cells.extend(vec![None; gap as usize]),
                Some(_) => return None,
                None => {
                    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                    cells.push(Some((color, Kind::from_letter(letter)?)));
                }
            }
        }
        if cells.len() != 8 {
            return None;
        }
        for (file, cell) in cells.into_iter().enumerate() {
            board[square(file, 7 - from_top)] = cell;
        }
    }
    Some(board)
}

fn parse_rights(text: &str) -> Option<[bool; 4]> {
    let mut rights = [false; 4];
    if text == "-" {
        return Some(rights);
    }
    for letter in text.chars() {
        let i = RIGHTS.iter().position(|&right| right == letter)?;
        if rights[i] {
            return None;
        }
        rights[i] = true;
    }
    Some(rights)
}

fn parse_targets(text: &str) -> Option<BTreeSet<usize>> {
    let mut targets = BTreeSet::new();
    if text == "-" {
        return Some(targets);
    }
    let letters: Vec<char> = text.chars().collect();
    for pair in letters.chunks(2) {
        let &[file @ 'a'..='h', rank @ '1'..='8'] = pair else {
            return None;
        };
        if !targets.insert(square(file as usize - 'a' as usize, rank as usize - '1' as usize)) {
            return None;
        }
    }
    Some(targets)
}

fn parse_number(text: &str, lowest: u32, highest: u32) -> Option<u32> {
    if !text.chars().all(|letter| letter.is_ascii_digit()) {
        return None;
    }
    // Zeros in front may be more than any number type holds.
    let digits = text.trim_start_matches('0');
    let number = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    (lowest..=highest).contains(&number).then_some(number)
}

fn parse_dice(text: &str) -> Option<Vec<Kind>> {
    if text == "-" {
        return Some(vec![]);
    }
    let mut dice = text.chars().map(Kind::from_letter).collect::<Option<Vec<_>>>()?;
    dice.sort();
    (dice.len() <= 3).then_some(dice)
}
